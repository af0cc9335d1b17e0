import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';

/** The limit set by the operator, null for none; and the number of recipients counted now. */
export async function getDailyUse(
  trx: Transaction,
  organizationId: string,
): Promise<{ own_limit: number | null; used: number }> {
  return await trx
    .selectFrom('organizations')
    .select(['daily_recipient_limit as own_limit', sql<number>`recipients_of_last_day()`.as('used')])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
}

/** Locks the daily use until the transaction ends, so that sends that start concurrently count each other. */
export async function lockDailyUse(trx: Transaction, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`daily recipients ${organizationId}`}, 0))`.execute(
    trx,
  );
}
