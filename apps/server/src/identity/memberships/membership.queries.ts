import { sql } from 'kysely';
import type { AbilityRule } from '@reachout/contract/abilities.ts';
import type { TenantRecord } from '@reachout/contract/operation.ts';
import { firstRowOf, type Transaction } from '../../platform/database/database.ts';

export interface MembershipRow {
  organization_id: string;
  role: string;
  status: string;
  /** Rules of the organization's custom role. */
  rules: AbilityRule[] | null;
  client_ids: string[];
  /** The organization requires a second factor, and the user has none. */
  lacks_second_factor: boolean;
}

/** The acting user's membership in the organization that the record belongs to; undefined for non-members. */
export const findMembership = (
  trx: Transaction,
  kind: TenantRecord,
  recordId: string,
) => firstRowOf<MembershipRow>(trx)`
  select * from resolve_membership(${kind}, ${recordId})
`;

/** Updates a member of the organization of the transaction. */
export async function updateLastSeen(trx: Transaction, userId: string): Promise<void> {
  await trx
    .updateTable('organization_users')
    .set({ last_seen_at: sql`now()` })
    .where('user_id', '=', userId)
    .execute();
}
