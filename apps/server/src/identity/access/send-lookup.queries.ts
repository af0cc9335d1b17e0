import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { SendRef } from './send-ref.ts';

/**
 * Finds the organization, touchpoint and brand of a send, whatever the state of its touchpoint; undefined if there is
 * no such send.
 */
export async function findSendByNumber(db: Database, sendNumber: number): Promise<SendRef | undefined> {
  const { rows } = await sql<SendRef>`
    select organization_id as "organizationId", send_id as "sendId", touchpoint_id as "touchpointId", brand_id as "brandId",
      is_test as "isTest"
    from send_by_number(${sendNumber})
  `.execute(db);
  return rows[0];
}
