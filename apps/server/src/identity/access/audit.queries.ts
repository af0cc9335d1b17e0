import { sql } from 'kysely';
import { execute, type NewRow, type Row, type Transaction } from '../../platform/database/database.ts';

export async function insertAuditEntry(trx: Transaction, entry: NewRow<'audit_log'>): Promise<void> {
  await trx.insertInto('audit_log').values(entry).execute();
}

export async function hasRecentEntry(
  trx: Transaction,
  entry: Row<'audit_log', 'organization_id' | 'user_id' | 'api_key_id' | 'action' | 'record_id'>,
): Promise<boolean> {
  const row = await trx
    .selectFrom('audit_log')
    .select('id')
    .where('organization_id', '=', entry.organization_id)
    .where('record_id', '=', entry.record_id)
    .where('at', '>', sql<string>`now() - interval '24 hours'`)
    .where('action', '=', entry.action)
    .where('user_id', 'is not distinct from', entry.user_id)
    .where('api_key_id', 'is not distinct from', entry.api_key_id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Adds a sign-in entry to the audit log of each organization of the acting user. @param row.session_id  the session
 * just opened
 */
export const insertSignInEntries = (
  trx: Transaction,
  row: {
    id: string;
    session_id: string;
    method: string;
    ip_address: string | null;
    user_agent: string | null;
  },
) => execute(trx)`
  select record_sign_in(${row.id}::uuid, ${row.session_id}::uuid, ${row.method}, ${row.ip_address}, ${row.user_agent})
`;

/** Removes the acting user from the audit log and from stored responses. */
export const eraseNameFromAuditLog = (trx: Transaction) => execute(trx)`select erase_my_personal_data()`;
