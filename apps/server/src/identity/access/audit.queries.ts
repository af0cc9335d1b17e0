import { sql, type Insertable } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import type { DB } from '../../platform/database/types.gen.ts';

export async function insertAuditEntry(trx: Transaction, entry: Insertable<DB['audit_log']>): Promise<void> {
  await trx.insertInto('audit_log').values(entry).execute();
}

/** Writes into the audit logs of all organizations of the acting user. @param row  `session_id`: just opened */
export async function insertSignInEntries(
  trx: Transaction,
  row: {
    id: string;
    session_id: string;
    method: string;
    ip_address: string | null;
    user_agent: string | null;
  },
): Promise<void> {
  await sql`
    select record_sign_in(${row.id}::uuid, ${row.session_id}::uuid, ${row.method}, ${row.ip_address}, ${row.user_agent})
  `.execute(trx);
}

/** Removes the acting user from the audit log and from stored responses. */
export async function eraseNameFromAuditLog(trx: Transaction): Promise<void> {
  await sql`select erase_my_personal_data()`.execute(trx);
}
