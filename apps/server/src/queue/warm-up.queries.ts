import { sql } from 'kysely';
import {
  execute,
  hasRows,
  onlyRowOf,
  rowsOf,
  type Database,
  type Transaction,
} from '../platform/database/database.ts';

export interface WarmUpLease {
  /** Number of messages that may be sent. */
  granted: number;
  /** Limit of the plan for today. */
  limit: number;
  /** UTC date, for example 2026-11-22. */
  day: string;
  /** Milliseconds until the next UTC day. */
  leftMs: number;
}

const today = sql`(now() at time zone 'UTC')::date`;
// Every plan is over after 2,200 days: the limit is an integer and grows by at least 1 % a day.
const limitToday = sql<number>`floor(first_limit * power(growth, least(${today} - first_day, 2200)))`;
const isOver = sql<boolean>`${limitToday} > last_limit`;
const used = sql<number>`case when counted_day = ${today} then counted else 0 end`;

/**
 * Leases up to `wanted` messages from the limit that a sender domain has today. All workers share the limit, and leased
 * messages stay counted unless they are released.
 */
export const leaseWarmUp = (db: Database, domain: string, wanted: number) => onlyRowOf<WarmUpLease>(db)`
  with plan as materialized (
    select domain, ${used} as used, ${limitToday} as daily, ${isOver} as is_over from warm_up_plans
    where domain = ${domain}
    for update
  ), leased as materialized (
    select domain, used, daily,
      case when is_over then ${wanted}::int else greatest(0, least(${wanted}::int, daily - used))::int end as granted
    from plan
  ), counted as (
    update warm_up_plans p set counted = leased.used + leased.granted, counted_day = ${today}
    from leased
    where p.domain = leased.domain and leased.granted > 0
  )
  select coalesce((select granted from leased), ${wanted}::int) as granted,
    coalesce((select least(daily, 2000000000)::int from leased), 0) as limit,
    ${today}::text as day,
    (extract(epoch from (${today} + 1)::timestamp at time zone 'UTC' - now()) * 1000)::float8 as "leftMs"
`;

/** Releases messages that were leased on that day and not started. */
export const releaseWarmUp = (db: Database, domain: string, day: string, count: number) => execute(db)`
  update warm_up_plans set counted = greatest(0, counted - ${count}::int)
  where domain = ${domain} and counted_day = ${day}::date
`;

export const hasWarmUpPlan = (trx: Transaction, domain: string) => hasRows(trx)`
  select from warm_up_plans where domain = ${domain} and not ${isOver}
`;

export interface WarmUpPlan {
  domain: string;
  /** Maximum messages today. */
  limit: number;
  /** Messages that workers leased of these. */
  used: number;
  is_over: boolean;
}

export const listWarmUpPlans = (db: Database) => rowsOf<WarmUpPlan>(db)`
  select domain, least(${limitToday}, 2000000000)::int as limit, ${used} as used, ${isOver} as is_over
  from warm_up_plans order by domain
`;

export const upsertWarmUpPlan = (
  db: Database,
  { domain, first, growth, last }: { domain: string; first: number; growth: number; last: number },
) => execute(db)`
  insert into warm_up_plans (domain, first_limit, growth, last_limit) values (${domain}, ${first}, ${growth}, ${last})
  on conflict (domain) do update set first_limit = excluded.first_limit, growth = excluded.growth,
    last_limit = excluded.last_limit, first_day = excluded.first_day
`;

/** @returns false if the domain had no plan */
export async function deleteWarmUpPlan(db: Database, domain: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from warm_up_plans where domain = ${domain}`.execute(db);
  return numAffectedRows === 1n;
}
