import { sql } from 'kysely';
import type { WebsiteDimension } from '@reachout/contract/states/website.ts';
import type { TimeSpan } from '@reachout/contract/period.ts';
import { onlyRowOf, onlyValueOf, rowsOf, type Transaction } from '../../platform/database/database.ts';
import { dayMs, roundSpan, type Edge } from './quarters.ts';
import {
  bucketOf,
  isOf,
  noBuckets,
  readByDay,
  toDay,
  type StatisticsQuery,
} from './running-counts.queries.ts';

export interface CountedActivity {
  subject: ActivitySubject;
  /** Of events; null for sessions of any type. */
  type: string | null;
  /** 0-based index of the bucket. */
  bucket: number;
  count: number;
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
  const { starts } = buckets;
  const { firstDay, endDay, eachBucket, countIn, edges } = readByDay(span, buckets);
  return await rowsOf<CountedActivity>(trx)`
    with by_day as (
      select d.dimension as subject, nullif(d.value, '') as type, b.bucket - 1 as bucket, ${countIn('d.running_counts')} as count
      from counts d
      ${eachBucket}
      where ${isOf(query)} and d.dimension = any (${subjects}::text[]) and d.day >= ${firstDay}::date and d.day < ${endDay}::date
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
  `;
}

const allTime: TimeSpan = { start: new Date(0), end: new Date(Date.UTC(2200, 0, 1)) };
// Each edge is read by itself: PostgreSQL reads one range of times from an index in order, but of several whole partitions.

const listEvents = (query: StatisticsQuery, edge: Edge, starts: readonly Date[]) => sql`
  select 'event', type, ${bucketOf('at', starts)}, ${sql.lit(edge.sign)}
  from counted_visitor_events
  where ${isOf(query)} and ${isWithin(edge, 'at')}`;

const listSessions = (query: StatisticsQuery, edge: Edge, starts: readonly Date[]) => sql`
  select 'session', nullif(t.type, ''), ${bucketOf('started_at', starts)}, ${sql.lit(edge.sign)}
  from visits s
  cross join lateral session_types(s.page_views, s.tracks, s.events) t
  where ${isOf(query)} and ${isWithin(edge, 'started_at')}`;

const isWithin = ({ start, end }: TimeSpan, column: string) =>
  sql`${sql.ref(column)} >= ${start}::timestamptz and ${sql.ref(column)} < ${end}::timestamptz`;

/** Counts the visitors with a session that began in the span, each once. */
export const countVisitors = (
  trx: Transaction,
  { organizationId, touchpointId }: StatisticsQuery,
  { start, end }: TimeSpan,
) => onlyValueOf<number>(trx)`
  select count_visitors(${organizationId}, ${touchpointId}, ${start}, ${end}) as visitors
`;

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
  query: StatisticsQuery,
  dimension: WebsiteDimension,
  current: TimeSpan,
  previous: TimeSpan,
): Promise<CountedValue[]> {
  const [days, daysBefore] = [roundSpan(current, dayMs), roundSpan(previous, dayMs)];
  return await rowsOf<CountedValue>(trx)`
    select value, is_other, sum(count)::bigint as count, sum(sessions)::bigint as sessions,
      sum(previous_count)::bigint as previous_count
    from (
      ${sql.join(
        [
          sql`
      select m.value, m.is_other, counts_between(m.running_counts, ${days.from} - f.day, ${days.to} - f.day) as count,
        counts_between(m.running_sessions, ${days.from} - f.day, ${days.to} - f.day) as sessions,
        counts_between(m.running_counts, ${daysBefore.from} - f.day, ${daysBefore.to} - f.day) as previous_count
      from visitor_value_months m
      cross join lateral (select m.month - date '1970-01-01' as day) f
      where ${isOf(query)} and m.dimension = ${dimension}
        and m.month >= utc_month(${toDay(Math.min(days.from, daysBefore.from))}::date)
        and m.month < ${toDay(Math.max(days.to, daysBefore.to))}::date`,
          ...mergeEdges(days.edges, daysBefore.edges).map(
            ({ edge, sign, signBefore }) => sql`
      select visitor_value(${sql.lit(dimension)}, url, path, referrer_host, country, language, width, name), false,
        ${sql.lit(sign)}, 0, ${sql.lit(signBefore)}
      from counted_visitor_events
      where ${isOf(query)} and type = ${dimension === 'event' ? 'TRACK' : 'VIEW_PAGE'} and ${isWithin(edge, 'at')}`,
          ),
          ...days.edges.map(
            (edge) => sql`
      select d.value, false, 0, ${sql.lit(edge.sign)}, 0
      from visits s
      cross join lateral session_dimensions(s.referrer_host, s.country, s.language, s.width) d
      where ${isOf(query)} and d.dimension = ${sql.lit(dimension)} and ${isWithin(edge, 'started_at')}`,
          ),
        ],
        sql` union all `,
      )}
    ) counted
    group by 1, 2
    having sum(count) <> 0 or sum(sessions) <> 0 or sum(previous_count) <> 0
  `;
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
export const countActive = (trx: Transaction, query: StatisticsQuery, since: Date) => onlyRowOf<{
  visitors: number;
  page_views: number;
}>(trx)`
  select count(distinct visitor_id)::bigint as visitors, count(*) filter (where type = 'VIEW_PAGE')::bigint as page_views
  from counted_visitor_events
  where ${isOf(query)} and at >= ${since}
`;

/** Lists the pages that most visitors have viewed since a time. */
export const listActivePages = (
  trx: Transaction,
  query: StatisticsQuery,
  since: Date,
  limit: number,
) => rowsOf<{ path: string; visitors: number }>(trx)`
  select visitor_value('path', url, path, null, null, null, null, null) as path, count(distinct visitor_id)::bigint as visitors
  from counted_visitor_events
  where ${isOf(query)} and type = 'VIEW_PAGE' and at >= ${since}
  group by 1
  order by visitors desc, path
  limit ${limit}
`;
