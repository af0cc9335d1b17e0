import { sql } from 'kysely';
import type { TimeSpan } from '@reachout/contract/period.ts';
import { rowsOf, type Transaction } from '../../platform/database/database.ts';
import { cutByDay } from './quarters.ts';

export interface ResultsQuery {
  organizationId: string;
  /** Only results of this client. */
  clientId?: string | undefined;
}

/** Two periods, the later one split into buckets. Both start on a quarter hour; the earlier one also ends on one. */
export interface ComparedPeriods {
  previous: TimeSpan;
  buckets: readonly Date[];
  until: Date;
}

/** Number of messages that reached a state, of those sent that are not measured, or that had their first event of a type. */
export interface ResultCount {
  kind:
    | 'sent'
    | 'not_measured'
    | 'bounced'
    | 'OPEN_EMAIL'
    | 'CLICK'
    | 'converted'
    | 'UNSUBSCRIBE'
    | 'COMPLAINT';
  /** 0-based index of the bucket; -1 for the previous period, null in rows of clients. */
  bucket: number | null;
  /** Null in rows of buckets. */
  client_id: string | null;
  count: number;
}

/**
 * Sums the results of all non-deleted emails within the access scope: per bucket, for the previous period, and per client in
 * the current period. For running sends, it includes what has been counted so far.
 *
 * Results are totals per quarter hour, one or two rows for most sends. Events spread over days, so they are read by day: a
 * part of a day is the difference of two running counts.
 */
export async function sumOrganizationResults(
  trx: Transaction,
  { organizationId, clientId }: ResultsQuery,
  { previous, buckets, until }: ComparedPeriods,
): Promise<ResultCount[]> {
  const start = buckets[0]!;
  const pieces = cutByDay([
    { ...previous, bucket: -1 },
    ...buckets.map((at, bucket) => ({ start: at, end: buckets[bucket + 1] ?? until, bucket })),
  ]);
  const thresholds = sql`${buckets.map((at) => at.getTime() / 1000)}::float8[]`;
  return await rowsOf<ResultCount>(trx)`
    with sends as materialized (
      select s.id, t.client_id
      from touchpoint_sends s
      join current_touchpoints t on t.organization_id = s.organization_id and t.id = s.touchpoint_id
      where s.organization_id = ${organizationId} and s.kind <> 'test'
        and (${clientId ?? null}::uuid is null or t.client_id = ${clientId ?? null}::uuid)
    ), piece as materialized (
      select * from unnest(${pieces.map(({ day }) => day)}::date[], ${pieces.map(({ from }) => from)}::int[],
        ${pieces.map(({ to }) => to)}::int[], ${pieces.map(({ bucket }) => bucket)}::int[]) as p(day, from_quarter, to_quarter, bucket)
    ), figures as (
      select send_id, k.kind, width_bucket(date_part('epoch', at), ${thresholds}) - 1 as bucket, k.count::integer as count
      from counted_results
      cross join lateral (values (state, count), ('not_measured', not_measured)) k(kind, count)
      where organization_id = ${organizationId} and state in ('sent', 'bounced')
        and (at >= ${start} and at < ${until} or at >= ${previous.start} and at < ${previous.end})
      union all
      select d.subject_id, d.dimension, p.bucket, d.running_counts[p.to_quarter] - coalesce(d.running_counts[p.from_quarter], 0)
      from counts d
      join piece p on p.day = d.day
      where d.organization_id = ${organizationId} and d.day >= ${pieces[0]!.day}::date and d.day <= ${pieces.at(-1)!.day}::date
        and d.dimension in ('OPEN_EMAIL', 'CLICK', 'UNSUBSCRIBE', 'COMPLAINT') and d.value = 'unique'
      union all
      select send_id, 'converted', width_bucket(date_part('epoch', first_at), ${thresholds}) - 1, 1
      from converted_messages
      where organization_id = ${organizationId}
        and (first_at >= ${start} and first_at < ${until} or first_at >= ${previous.start} and first_at < ${previous.end})
    )
    select f.kind, case when grouping(f.bucket) = 0 then f.bucket end as bucket, c.client_id, sum(f.count)::bigint as count
    from figures f
    join sends s on s.id = f.send_id
    cross join lateral (select case when f.bucket >= 0 then s.client_id end) c(client_id)
    where f.count > 0
    group by grouping sets ((f.kind, f.bucket), (f.kind, c.client_id))
    having grouping(c.client_id) = 1 or c.client_id is not null
  `;
}

/** @returns client names by id */
export async function listClientNames(
  trx: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await trx
    .selectFrom('clients')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
