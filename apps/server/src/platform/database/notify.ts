import { sql } from 'kysely';
import type { Transaction } from './database.ts';

/** Wakes the workers once this transaction has committed; otherwise they poll within a second. */
export async function notifyWorkers(trx: Transaction): Promise<void> {
  await sql`select pg_notify('reachout_work', '')`.execute(trx);
}
