import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import type { DB } from '../../platform/database/types.gen.ts';

/** Deletes at most `limit` rows, and tells how many it were. */
export type DeleteSome = (trx: Transaction, limit: number) => Promise<number>;

const deleteWhere =
  (table: keyof DB, key: string, condition: RawBuilder<unknown>): DeleteSome =>
  async (trx, limit) => {
    const result = await sql`
      delete from ${sql.table(table)} where ${sql.ref(key)} in (
        select ${sql.ref(key)} from ${sql.table(table)} where ${condition} limit ${limit}
      )
    `.execute(trx);
    return Number(result.numAffectedRows);
  };

/** Messages of the platform that the built-in mailbox keeps. */
const keptSystemMessages = 500;

/** What is kept for a while only. */
export const expired: Record<string, DeleteSome> = {
  'answers for repeats': async (trx, limit) => {
    const { rows } = await sql<{ count: number }>`select delete_old_answers(${limit}) as count`.execute(trx);
    return rows[0]?.count ?? 0;
  },
  'addresses and contacts': async (trx, limit) => {
    const { rows } = await sql<{ count: number }>`
      select erase_addresses_and_contacts(${limit}) as count
    `.execute(trx);
    return rows[0]?.count ?? 0;
  },
  // However busy, a session ends after 30 days.
  sessions: deleteWhere('sessions', 'id', sql`expires_at < now() or created_at < now() - interval '30 days'`),
  verifications: deleteWhere('verifications', 'id', sql`expires_at < now()`),
  // Names and passwords of sign-ups that nobody confirmed go with them; the response to an old link stays the same.
  'one-time tokens': deleteWhere('one_time_tokens', 'id', sql`expires_at < now()`),
  'rate limits': deleteWhere('rate_limits', 'key', sql`expire < extract(epoch from now()) * 1000`),
  // By the second condition, which the first implies, there is an index.
  'system mails': deleteWhere(
    'system_mails',
    'id',
    sql`ended_at < now() - interval '7 days' and created_at < now() - interval '7 days'`,
  ),
  // They name people and organizations that may be gone: no longer than those are kept.
  'system messages': deleteWhere(
    'system_messages',
    'id',
    sql`received_at < now() - interval '30 days' or (received_at, id) <= (
      select received_at, id from system_messages
      order by received_at desc, id desc
      offset ${sql.lit(keptSystemMessages)}
      limit 1
    )`,
  ),
};
