import type { Insertable } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import type { DB } from '../../platform/database/types.gen.ts';

export async function insertAuditEntry(trx: Transaction, entry: Insertable<DB['audit_log']>): Promise<void> {
  await trx.insertInto('audit_log').values(entry).execute();
}
