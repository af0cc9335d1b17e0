import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';

export interface SendPlace {
  organization_id: string;
  send_id: string;
  touchpoint_id: string;
  brand_id: string;
}

/** Where a send belongs, whatever became of its touchpoint (LNK-4); undefined when there is no such send. */
export async function findSendByNumber(db: Database, sendNumber: number): Promise<SendPlace | undefined> {
  const { rows } = await sql<SendPlace>`select * from send_by_number(${sendNumber})`.execute(db);
  return rows[0];
}
