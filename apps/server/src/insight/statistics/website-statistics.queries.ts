import { sql, type RawBuilder } from 'kysely';
import type { TimeSpan } from '@reachout/contract/period.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { StatisticsQuery } from './email-statistics.queries.ts';
import { cutByQuarters } from './quarters.ts';

export interface CountedVisits {
  /** Of events; null for sessions of any type. */
  type: string | null;
  /** 0-based index of the bucket. */
  bucket: number;
  count: number;
}

/** Buckets of a chart; none count everything under the index -1. */
interface Buckets {
  starts: readonly Date[];
  byMinute: boolean;
}

/**
 * Counts the events of visitors by type and bucket, without bots; for all time without a span. Full quarters of an hour are
 * read from totals; the rest at both ends, or the whole span by minute, from single events.
 */
export async function countVisitorEvents(
  trx: Transaction,
  { organizationId, touchpointId }: StatisticsQuery,
  span?: TimeSpan,
  buckets: Buckets = { starts: [], byMinute: false },
): Promise<CountedVisits[]> {
  const ofWebsite = sql`organization_id = ${organizationId} and touchpoint_id = ${touchpointId}`;
  const { fromTotals, fromRows } = readSpan(span, buckets);
  const { rows } = await sql<CountedVisits>`
    select type, ${bucketOf(buckets)} as bucket, sum(count)::bigint as count
    from (
      select type, at, count from current_visitor_event_totals where ${ofWebsite} and ${fromTotals}
      union all
      select type, at, 1 from current_visitor_events where ${ofWebsite} and not is_bot and ${fromRows}
    ) counted
    group by 1, 2
    having sum(count) > 0
    order by 1, 2
  `.execute(trx);
  return rows;
}

/**
 * Counts the sessions that began, in the same way: all of them with the type null, and those with at least one event of a
 * type.
 */
export async function countSessions(
  trx: Transaction,
  { organizationId, touchpointId }: StatisticsQuery,
  span?: TimeSpan,
  buckets: Buckets = { starts: [], byMinute: false },
): Promise<CountedVisits[]> {
  const { fromTotals, fromRows } = readSpan(span, buckets);
  const { rows } = await sql<CountedVisits>`
    select kind.type, ${bucketOf(buckets)} as bucket, sum(kind.count)::bigint as count
    from (
      select at, sessions, with_page_views, with_tracks, with_identifies
      from current_visitor_session_totals(${organizationId}, ${touchpointId}) where ${fromTotals}
      union all
      select at, 1, (page_views > 0)::integer, (tracks > 0)::integer, (events > page_views + tracks)::integer
      from (
        select started_at as at, page_views, tracks, events
        from current_visitor_sessions(${organizationId}, ${touchpointId})
        where started_at >= ${span?.start ?? null}::timestamptz
      ) started
      where ${fromRows}
    ) counted
    cross join lateral (values (null, sessions), ('IDENTIFY', with_identifies), ('TRACK', with_tracks),
      ('VIEW_PAGE', with_page_views)) kind (type, count)
    group by 1, 2
    having sum(kind.count) > 0
    order by 1, 2
  `.execute(trx);
  return rows;
}

const bucketOf = ({ starts }: Buckets) =>
  sql`width_bucket(at, ${starts.map((start) => start.toISOString())}::timestamptz[]) - 1`;

/** @returns the conditions on the column `at` for totals and for single rows */
function readSpan(
  span: TimeSpan | undefined,
  { byMinute }: Buckets,
): Record<'fromTotals' | 'fromRows', RawBuilder<unknown>> {
  if (span === undefined) return { fromTotals: sql`true`, fromRows: sql`false` };
  const { quarters, edges } = cutByQuarters(span, byMinute);
  const within = ({ from, to }: { from: Date; to: Date }) => sql`at >= ${from} and at < ${to}`;
  return {
    fromTotals: within({ from: quarters.start, to: quarters.end }),
    fromRows: edges.length === 0 ? sql`false` : sql`(${sql.join(edges.map(within), sql` or `)})`,
  };
}

/** Counts the visitors with a session that began in the span, each once. */
export async function countVisitors(
  trx: Transaction,
  { organizationId, touchpointId }: StatisticsQuery,
  { start, end }: TimeSpan,
): Promise<number> {
  const { rows } = await sql<{ visitors: number }>`
    select count_visitors(${organizationId}, ${touchpointId}, ${start}, ${end}) as visitors
  `.execute(trx);
  return rows[0]!.visitors;
}

/** Counts conversions, and sums their values, by bucket. */
export async function countConversions(
  trx: Transaction,
  { organizationId, touchpointId }: StatisticsQuery,
  { start, end }: TimeSpan,
  starts: readonly Date[],
): Promise<{ bucket: number; count: number; value: number }[]> {
  const { rows } = await sql<{ bucket: number; count: number; value: number }>`
    select ${bucketOf({ starts, byMinute: false })} as bucket, count(*)::bigint as count, coalesce(sum(value), 0)::float8 as value
    from current_conversions
    where organization_id = ${organizationId} and touchpoint_id = ${touchpointId} and at >= ${start} and at < ${end}
    group by 1
  `.execute(trx);
  return rows;
}

interface CountedValue {
  value: string;
  is_other: boolean;
  count: number;
  sessions: number;
  previous_count: number;
}

/** Counts page views, events and sessions by the values of a dimension, most frequent first. */
export async function listValues(
  trx: Transaction,
  { organizationId, touchpointId }: StatisticsQuery,
  dimension: string,
  { start, end }: TimeSpan,
  previous: TimeSpan,
): Promise<CountedValue[]> {
  const { rows } = await sql<CountedValue>`
    select value, is_other, coalesce(sum(count) filter (where day >= utc_day(${start})), 0)::bigint as count,
      coalesce(sum(sessions) filter (where day >= utc_day(${start})), 0)::bigint as sessions,
      coalesce(sum(count) filter (where day < utc_day(${start})), 0)::bigint as previous_count
    from current_visitor_day_totals(${organizationId}, ${touchpointId})
    where dimension = ${dimension} and day >= utc_day(${previous.start}) and day < utc_day(${end})
    group by 1, 2
    order by count desc, sessions desc, value
  `.execute(trx);
  return rows;
}

/** Counts the visitors and page views since a time. */
export async function countActive(
  trx: Transaction,
  { organizationId, touchpointId }: StatisticsQuery,
  since: Date,
): Promise<{ visitors: number; page_views: number }> {
  const { rows } = await sql<{ visitors: number; page_views: number }>`
    select count(distinct visitor_id)::bigint as visitors, count(*) filter (where type = 'VIEW_PAGE')::bigint as page_views
    from current_visitor_events
    where organization_id = ${organizationId} and touchpoint_id = ${touchpointId} and not is_bot and at >= ${since}
  `.execute(trx);
  return rows[0]!;
}

/** Lists the pages that most visitors have viewed since a time. */
export async function listActivePages(
  trx: Transaction,
  { organizationId, touchpointId }: StatisticsQuery,
  since: Date,
  limit: number,
): Promise<{ path: string; visitors: number }[]> {
  const { rows } = await sql<{ path: string; visitors: number }>`
    select path, count(distinct visitor_id)::bigint as visitors
    from current_visitor_events
    where organization_id = ${organizationId} and touchpoint_id = ${touchpointId} and not is_bot and type = 'VIEW_PAGE'
      and at >= ${since}
    group by 1
    order by visitors desc, path
    limit ${limit}
  `.execute(trx);
  return rows;
}
