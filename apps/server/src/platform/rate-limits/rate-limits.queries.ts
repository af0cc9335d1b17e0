import { sql } from 'kysely';
import type { Transaction } from '../database/database.ts';
import type { DeleteBatch } from '../database/delete-rows.ts';

/**
 * Adds to several counters at once. The counts are part of the transaction: a rollback undoes them, and a concurrent
 * transaction on the same counter waits for this one.
 * @returns for each counter its sum in the current window, including what was added, and the milliseconds until the
 * window ends
 */
export async function addToCounters(
  trx: Transaction,
  counters: ReadonlyMap<string, number>,
  { windowMs, now }: { windowMs: number; now: Date },
): Promise<{ key: string; points: number; endsInMs: number }[]> {
  const started = now.getTime();
  // Sorted, so that concurrent statements cannot deadlock.
  const { rows } = await sql<{ key: string; points: number; expire: number }>`
    insert into rate_limits as r (key, points, expire)
    select given.key, given.points, ${started + windowMs}
    from unnest(${[...counters.keys()]}::text[], ${[...counters.values()]}::int[]) as given (key, points)
    order by given.key
    on conflict (key) do update set
      points = case when r.expire <= ${started} then 0 else r.points end + excluded.points,
      expire = case when r.expire <= ${started} then excluded.expire else r.expire end
    returning key, points, expire
  `.execute(trx);
  return rows.map(({ key, points, expire }) => ({ key, points, endsInMs: expire - started }));
}

export const deleteExpiredCounters: DeleteBatch = async (trx, limit) => {
  const result = await sql`
    delete from rate_limits where key in (
      select key from rate_limits where expire < extract(epoch from now()) * 1000 limit ${limit}
    )
  `.execute(trx);
  return Number(result.numAffectedRows);
};
