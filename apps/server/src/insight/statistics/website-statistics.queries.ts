import { sql } from 'kysely';
import type { WebsiteDimension } from '@reachout/contract/states/website.ts';
import type { TimeSpan } from '@reachout/contract/period.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { StatisticsQuery } from './email-statistics.queries.ts';
import { conversionsIn } from './website-conversions.queries.ts';
import { dayMs, quarterMs, roundSpan, type Edge } from './quarters.ts';

export interface CountedVisits {
  subject: VisitSubject;
  /** Of events; null for sessions of any type. */
  type: string | null;
  /** 0-based index of the bucket. */
  bucket: number;
  count: number;
}

/** Buckets of a chart; none count everything under the index -1. */
export interface Buckets {
  starts: readonly Date[];
  byMinute: boolean;
}

type VisitSubject = 'event' | 'session';

/**
 * Counts the events of visitors by type and bucket, without bots, and the sessions that began: all of them with the type null, and
 * those with at least one event of a type; for all time without a span.
 *
 * Quarters of an hour are read from days; what these have beyond the span, or lack, and the whole span by minute, from single
 * events and sessions.
 */
export async function countVisits(
  trx: Transaction,
  query: StatisticsQuery,
  subjects: readonly VisitSubject[],
  span: TimeSpan = allTime,
  { starts, byMinute }: Buckets = { starts: [], byMinute: false },
): Promise<CountedVisits[]> {
  const { organizationId, touchpointId } = query;
  const { from, to, edges } = byMinute
    ? { from: 0, to: 0, edges: [{ ...span, sign: 1 as const }] }
    : roundSpan(span, quarterMs);
  // A span that begins within a quarter of an hour may begin with the whole one: its first bucket has that, too.
  const quarters = starts.map((start, index) =>
    index === 0 ? from : Math.ceil(start.getTime() / quarterMs),
  );
  const { rows } = await sql<CountedVisits>`
    with by_day as (
      -- Of buckets longer than a day, one is read per day.
      select d.subject, nullif(d.type, '') as type, b.bucket - 1 as bucket, counts_between(d.running_counts,
        greatest(q.midnight, b.starts[b.bucket], ${from}) - q.midnight, least(b.starts[b.bucket + 1], ${to}) - q.midnight) as count
      from current_visitor_count_days(${organizationId}, ${touchpointId}, ${toDay(Math.floor(from / 96))}, ${toDay(Math.ceil(to / 96))}) d
      cross join lateral (select (d.day - date '1970-01-01') * 96 as midnight) q
      cross join lateral (
        select s.starts, generate_series(width_bucket(greatest(q.midnight, ${from}), s.starts),
          width_bucket(least(q.midnight + 96, ${to}) - 1, s.starts)) as bucket
        from (select ${quarters}::integer[] as starts) s
      ) b
      where d.subject = any (${subjects}::text[])
    ), by_row as (
      ${sql.join(
        subjects.map((subject) => (subject === 'event' ? listEvents : listSessions)(query, edges)),
        sql` union all `,
      )}
    )
    select subject, type, bucket, sum(count)::bigint as count
    from (
      select subject, type, bucket, count from by_day
      union all
      select subject, type, ${bucketOf(starts)}, count from by_row
    ) counted
    group by 1, 2, 3
    having sum(count) > 0
    order by 1, 2, 3
  `.execute(trx);
  return rows;
}

/** Counts events alone. */
export const countVisitorEvents = (
  trx: Transaction,
  query: StatisticsQuery,
  span?: TimeSpan,
  buckets?: Buckets,
): Promise<CountedVisits[]> => countVisits(trx, query, ['event'], span, buckets);

/** Counts sessions alone. */
export const countSessions = (
  trx: Transaction,
  query: StatisticsQuery,
  span?: TimeSpan,
  buckets?: Buckets,
): Promise<CountedVisits[]> => countVisits(trx, query, ['session'], span, buckets);

const allTime: TimeSpan = { start: new Date(0), end: new Date(Date.UTC(2200, 0, 1)) };

const listEvents = ({ organizationId, touchpointId }: StatisticsQuery, edges: readonly Edge[]) => sql`
  select 'event' as subject, type, at, ${signOf(edges, 'at')} as count
  from current_visitor_events
  where organization_id = ${organizationId} and touchpoint_id = ${touchpointId} and not is_bot and ${isWithin(edges, 'at')}`;

const listSessions = ({ organizationId, touchpointId }: StatisticsQuery, edges: readonly Edge[]) => sql`
  select 'session' as subject, nullif(t.type, '') as type, s.started_at as at, ${signOf(edges, 'started_at')} as count
  from current_visitor_sessions(${organizationId}, ${touchpointId}) s
  cross join lateral session_types(s.page_views, s.tracks, s.events) t
  where ${isWithin(edges, 'started_at')}`;

/** What is before the first bucket is in it. */
const bucketOf = (starts: readonly Date[]) =>
  sql`greatest(width_bucket(at, ${starts.map((start) => start.toISOString())}::timestamptz[]), ${Math.min(starts.length, 1)}) - 1`;

const toDay = (days: number): string => new Date(days * dayMs).toISOString().slice(0, 10);

const within = ({ start, end }: TimeSpan, column: string) =>
  sql`(${sql.ref(column)} >= ${start}::timestamptz and ${sql.ref(column)} < ${end}::timestamptz)`;

const isWithin = (edges: readonly Edge[], column: string) =>
  edges.length === 0
    ? sql`false`
    : sql`(${sql.join(
        edges.map((edge) => within(edge, column)),
        sql` or `,
      )})`;

/** What a row of the edges adds: 1, -1, or 0 if it is in two of them. */
const signOf = (edges: readonly Edge[], column: string) =>
  sql.join(
    [sql`0`, ...edges.map((edge) => sql`${within(edge, column)}::integer * ${sql.lit(edge.sign)}`)],
    sql` + `,
  );

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
  query: StatisticsQuery,
  span: TimeSpan,
  starts: readonly Date[],
): Promise<{ bucket: number; count: number; value: number }[]> {
  const { rows } = await sql<{ bucket: number; count: number; value: number }>`
    select ${bucketOf(starts)} as bucket, count(*)::bigint as count, coalesce(sum(value), 0)::float8 as value
    from ${conversionsIn(query, span)} c
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

/**
 * Counts page views, events and sessions by the values of a dimension. Days in UTC are read from months; what these have
 * beyond a span, or lack, from single events and sessions, as long as these are kept.
 */
export async function listValues(
  trx: Transaction,
  { organizationId, touchpointId }: StatisticsQuery,
  dimension: WebsiteDimension,
  current: TimeSpan,
  previous: TimeSpan,
): Promise<CountedValue[]> {
  const [days, daysBefore] = [roundSpan(current, dayMs), roundSpan(previous, dayMs)];
  const ofWebsite = sql`organization_id = ${organizationId} and touchpoint_id = ${touchpointId}`;
  const { rows } = await sql<CountedValue>`
    select value, is_other, sum(count)::bigint as count, sum(sessions)::bigint as sessions,
      sum(previous_count)::bigint as previous_count
    from (
      select m.value, m.is_other, counts_between(m.running_counts, ${days.from} - f.day, ${days.to} - f.day) as count,
        counts_between(m.running_sessions, ${days.from} - f.day, ${days.to} - f.day) as sessions,
        counts_between(m.running_counts, ${daysBefore.from} - f.day, ${daysBefore.to} - f.day) as previous_count
      from current_visitor_value_months(${organizationId}, ${touchpointId}, ${dimension},
        ${toDay(Math.min(days.from, daysBefore.from))}, ${toDay(Math.max(days.to, daysBefore.to))}) m
      cross join lateral (select m.month - date '1970-01-01' as day) f
      union all
      select d.value, false, ${signOf(days.edges, 'at')}, 0, ${signOf(daysBefore.edges, 'at')}
      from current_visitor_events e
      cross join lateral visitor_dimensions(e.type, e.path, e.referrer_host, e.country, e.language, e.width, e.name) d
      where ${ofWebsite} and not is_bot and type = ${dimension === 'event' ? 'TRACK' : 'VIEW_PAGE'} and d.dimension = ${dimension}
        and ${isWithin([...days.edges, ...daysBefore.edges], 'at')}
      union all
      select d.value, false, 0, ${signOf(days.edges, 'started_at')}, 0
      from current_visitor_sessions(${organizationId}, ${touchpointId}) s
      cross join lateral session_dimensions(s.referrer_host, s.country, s.language, s.width) d
      where d.dimension = ${dimension} and ${isWithin(days.edges, 'started_at')}
    ) counted
    group by 1, 2
    having sum(count) <> 0 or sum(sessions) <> 0 or sum(previous_count) <> 0
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
