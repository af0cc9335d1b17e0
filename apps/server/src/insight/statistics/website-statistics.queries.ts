import { sql } from 'kysely';
import type { WebsiteDimension } from '@reachout/contract/states/website.ts';
import type { TimeSpan } from '@reachout/contract/period.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { StatisticsQuery } from './email-statistics.queries.ts';
import { dayMs, quarterMs, roundSpan, type Edge } from './quarters.ts';

export interface CountedActivity {
  subject: ActivitySubject;
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

type ActivitySubject = 'event' | 'session';

/**
 * Counts the events of visitors by type and bucket, without bots, and the sessions that began: all of them with the type null, and
 * those with at least one event of a type; for all time without a span.
 *
 * Quarters of an hour are read from days; what these have beyond the span, or lack, and the whole span by minute, from single
 * events and sessions.
 */
export async function countActivity(
  trx: Transaction,
  query: StatisticsQuery,
  subjects: readonly ActivitySubject[],
  span: TimeSpan = allTime,
  buckets = noBuckets,
): Promise<CountedActivity[]> {
  const { organizationId, touchpointId } = query;
  const { starts } = buckets;
  const { firstDay, endDay, eachBucket, countIn, edges } = readByDay(span, buckets);
  const { rows } = await sql<CountedActivity>`
    with by_day as (
      select d.subject, nullif(d.type, '') as type, b.bucket - 1 as bucket, ${countIn('d.running_counts')} as count
      from current_visitor_count_days(${organizationId}, ${touchpointId}, ${firstDay}, ${endDay}) d
      ${eachBucket}
      where d.subject = any (${subjects}::text[])
    )
    select subject, type, bucket, sum(count)::bigint as count
    from (
      ${sql.join(
        [
          sql`select subject, type, bucket, count from by_day`,
          ...edges.flatMap((edge) =>
            subjects.map((subject) => (subject === 'event' ? listEvents : listSessions)(query, edge, starts)),
          ),
        ],
        sql` union all `,
      )}
    ) counted
    group by 1, 2, 3
    having sum(count) > 0
    order by 1, 2, 3
  `.execute(trx);
  return rows;
}

const allTime: TimeSpan = { start: new Date(0), end: new Date(Date.UTC(2200, 0, 1)) };
export const noBuckets: Buckets = { starts: [], byMinute: false };

/**
 * What of a span is read from days with running counts, and the edges that are read from single rows.
 * @returns also the days, from the first until before the end; a join of days `d` with their buckets `b`; and what a column with
 *   running counts has of such a bucket
 */
export function readByDay(span: TimeSpan, { starts, byMinute }: Buckets) {
  const { from, to, edges } = byMinute
    ? { from: 0, to: 0, edges: [{ ...span, sign: 1 as const }] }
    : roundSpan(span, quarterMs);
  // A span that begins within a quarter of an hour may begin with the whole one: its first bucket has that, too.
  const quarters = starts.map((start, index) =>
    index === 0 ? from : Math.ceil(start.getTime() / quarterMs),
  );
  return {
    edges,
    firstDay: toDay(Math.floor(from / 96)),
    endDay: toDay(Math.ceil(to / 96)),
    // Of buckets longer than a day, one is read per day.
    eachBucket: sql`
      cross join lateral (select (d.day - date '1970-01-01') * 96 as midnight) q
      cross join lateral (
        select s.starts, generate_series(width_bucket(greatest(q.midnight, ${from}), s.starts),
          width_bucket(least(q.midnight + 96, ${to}) - 1, s.starts)) as bucket
        from (select ${quarters}::integer[] as starts) s
      ) b`,
    countIn: (column: string) => sql`counts_between(${sql.ref(column)},
        greatest(q.midnight, b.starts[b.bucket], ${from}) - q.midnight, least(b.starts[b.bucket + 1], ${to}) - q.midnight)`,
  };
}

// Each edge is read by itself: PostgreSQL reads one range of times from an index in order, but of several whole partitions.

const listEvents = (
  { organizationId, touchpointId }: StatisticsQuery,
  edge: Edge,
  starts: readonly Date[],
) => sql`
  select 'event', type, ${bucketOf('at', starts)}, ${sql.lit(edge.sign)}
  from current_events_of_website(${organizationId}, ${touchpointId})
  where ${isWithin(edge, 'at')}`;

const listSessions = (
  { organizationId, touchpointId }: StatisticsQuery,
  edge: Edge,
  starts: readonly Date[],
) => sql`
  select 'session', nullif(t.type, ''), ${bucketOf('started_at', starts)}, ${sql.lit(edge.sign)}
  from current_visitor_sessions(${organizationId}, ${touchpointId}) s
  cross join lateral session_types(s.page_views, s.tracks, s.events) t
  where ${isWithin(edge, 'started_at')}`;

/** What is before the first bucket is in it. */
export const bucketOf = (column: string, starts: readonly Date[]) =>
  sql`greatest(width_bucket(${sql.ref(column)}, ${starts.map((start) => start.toISOString())}::timestamptz[]),
    ${Math.min(starts.length, 1)}) - 1`;

const toDay = (days: number): string => new Date(days * dayMs).toISOString().slice(0, 10);

const isWithin = ({ start, end }: TimeSpan, column: string) =>
  sql`${sql.ref(column)} >= ${start}::timestamptz and ${sql.ref(column)} < ${end}::timestamptz`;

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
  const { rows } = await sql<CountedValue>`
    select value, is_other, sum(count)::bigint as count, sum(sessions)::bigint as sessions,
      sum(previous_count)::bigint as previous_count
    from (
      ${sql.join(
        [
          sql`
      select m.value, m.is_other, counts_between(m.running_counts, ${days.from} - f.day, ${days.to} - f.day) as count,
        counts_between(m.running_sessions, ${days.from} - f.day, ${days.to} - f.day) as sessions,
        counts_between(m.running_counts, ${daysBefore.from} - f.day, ${daysBefore.to} - f.day) as previous_count
      from current_visitor_value_months(${organizationId}, ${touchpointId}, ${dimension},
        ${toDay(Math.min(days.from, daysBefore.from))}, ${toDay(Math.max(days.to, daysBefore.to))}) m
      cross join lateral (select m.month - date '1970-01-01' as day) f`,
          ...mergeEdges(days.edges, daysBefore.edges).map(
            ({ edge, sign, signBefore }) => sql`
      select visitor_value(${sql.lit(dimension)}, url, path, referrer_host, country, language, width, name), false,
        ${sql.lit(sign)}, 0, ${sql.lit(signBefore)}
      from current_events_of_website(${organizationId}, ${touchpointId})
      where type = ${dimension === 'event' ? 'TRACK' : 'VIEW_PAGE'} and ${isWithin(edge, 'at')}`,
          ),
          ...days.edges.map(
            (edge) => sql`
      select d.value, false, 0, ${sql.lit(edge.sign)}, 0
      from current_visitor_sessions(${organizationId}, ${touchpointId}) s
      cross join lateral session_dimensions(s.referrer_host, s.country, s.language, s.width) d
      where d.dimension = ${sql.lit(dimension)} and ${isWithin(edge, 'started_at')}`,
          ),
        ],
        sql` union all `,
      )}
    ) counted
    group by 1, 2
    having sum(count) <> 0 or sum(sessions) <> 0 or sum(previous_count) <> 0
  `.execute(trx);
  return rows;
}

/** Edges of a span and of the one before it, which share those between them. @returns what a row counts in each */
function mergeEdges(edges: readonly Edge[], before: readonly Edge[]) {
  const signIn = (all: readonly Edge[], edge: Edge) => all.find((other) => isSame(other, edge))?.sign ?? 0;
  return [...edges, ...before.filter((edge) => signIn(edges, edge) === 0)].map((edge) => ({
    edge,
    sign: signIn(edges, edge),
    signBefore: signIn(before, edge),
  }));
}

const isSame = (one: TimeSpan, other: TimeSpan) =>
  one.start.getTime() === other.start.getTime() && one.end.getTime() === other.end.getTime();

/** Counts the visitors and page views since a time. */
export async function countActive(
  trx: Transaction,
  { organizationId, touchpointId }: StatisticsQuery,
  since: Date,
): Promise<{ visitors: number; page_views: number }> {
  const { rows } = await sql<{ visitors: number; page_views: number }>`
    select count(distinct visitor_id)::bigint as visitors, count(*) filter (where type = 'VIEW_PAGE')::bigint as page_views
    from current_events_of_website(${organizationId}, ${touchpointId})
    where at >= ${since}
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
    select visitor_value('path', url, path, null, null, null, null, null) as path, count(distinct visitor_id)::bigint as visitors
    from current_events_of_website(${organizationId}, ${touchpointId})
    where type = 'VIEW_PAGE' and at >= ${since}
    group by 1
    order by visitors desc, path
    limit ${limit}
  `.execute(trx);
  return rows;
}
