import { sql } from 'kysely';
import type { Transaction } from '../platform/database/database.ts';
import type { Sender } from './allowance.ts';

/** The limit set by the operator, null for none; and the numbers of recipients counted now. */
export const getDailyUse = (
  trx: Transaction,
  { organizationId, userId }: Sender,
): Promise<{ own_limit: number | null; used: number; used_by_people: number }> =>
  trx
    .selectFrom('organizations')
    .select([
      'daily_recipient_limit as own_limit',
      sql<number>`recipients_of_last_day()`.as('used'),
      sql<number>`recipients_of_people_of_last_day(${userId})`.as('used_by_people'),
    ])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();

/**
 * Locks the daily use of the organization and of the people whose recipients are counted, until the transaction ends, so
 * that sends that start concurrently count each other.
 */
export async function lockDailyUse(trx: Transaction, { organizationId, userId }: Sender): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`daily recipients ${organizationId}`}, 0))`.execute(
    trx,
  );
  await sql`
    select pg_advisory_xact_lock(hashtextextended('daily recipients of user ' || people.user_id, 0))
    from (
      select user_id from organization_users where organization_id = ${organizationId} and role = 'owner'
      union
      select ${userId}::uuid where ${userId}::uuid is not null
      order by user_id
    ) people
  `.execute(trx);
}
