import { sql } from 'kysely';
import type { TenantRecord } from '@reachout/contract/call.ts';
import type { Transaction } from '../platform/database/database.ts';

export interface Membership {
  organization_id: string;
  role: string;
  status: string;
}

/** The acting user's membership in the organization that the record belongs to; undefined for strangers. */
export async function findMembership(
  trx: Transaction,
  kind: TenantRecord,
  recordId: string,
): Promise<Membership | undefined> {
  const { rows } = await sql<Membership>`select * from resolve_membership(${kind}, ${recordId})`.execute(trx);
  return rows[0];
}
