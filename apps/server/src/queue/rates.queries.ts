import { sql } from 'kysely';
import { onlyRowOf, type Database, type Transaction } from '../platform/database/database.ts';

export interface RateSlice {
  isGranted: boolean;
  /** Milliseconds until the next slice is free, if this one was not granted. */
  waitMs: number;
}

/**
 * Leases a slice of a rate. All workers share the rate: the next slice is free once this one would be used up at that rate
 * (the generic cell rate algorithm, ITU-T I.371).
 * @param key  what the rate limits
 * @param sliceMs  how long the slice lasts at this rate
 */
export async function leaseRateSlice(db: Database, key: string, sliceMs: number): Promise<RateSlice> {
  const slice = sql`make_interval(secs => ${sliceMs}::float8 / 1000)`;
  return await onlyRowOf<RateSlice>(db)`
    with granted as (
      insert into send_rates as r (key, next_at) values (${key}, now() + ${slice})
      on conflict (key) do update set next_at = now() + ${slice} where r.next_at <= now()
      returning 1
    )
    select exists (select from granted) as "isGranted",
      coalesce((select extract(epoch from next_at - now()) * 1000 from send_rates where key = ${key}), 0)::float8 as "waitMs"
  `;
}

/** @returns messages a minute that the operator set for this organization; null: the common limit applies */
export async function getOwnRate(trx: Transaction, organizationId: string): Promise<number | null> {
  const { messages_per_minute } = await trx
    .selectFrom('organizations')
    .select('messages_per_minute')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return messages_per_minute;
}
