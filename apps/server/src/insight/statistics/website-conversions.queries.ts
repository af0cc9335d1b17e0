import { sql } from 'kysely';
import type { WebsiteConversions } from '@reachout/contract/statistics.ts';
import type { TimeSpan } from '@reachout/contract/period.ts';
import { onlyValueOf, rowsOf, type Transaction } from '../../platform/database/database.ts';
import {
  bucketOf,
  isOf,
  noBuckets,
  readByDay,
  type Buckets,
  type StatisticsQuery,
} from './running-counts.queries.ts';

const isIn = (query: StatisticsQuery, { start, end }: TimeSpan) =>
  sql`${isOf(query)} and at >= ${start} and at < ${end}`;

/**
 * What the conversions of a website in a span add up to, by goal and bucket, in several rows. Quarters of an hour are read from
 * days; what these have beyond the span, or lack, and the whole span by minute, from single conversions.
 */
function conversionSums(query: StatisticsQuery, span: TimeSpan, buckets = noBuckets) {
  const { firstDay, endDay, eachBucket, countIn, edges } = readByDay(span, buckets);
  return sql`(
    ${sql.join(
      [
        sql`
      select d.subject_id as goal_id, b.bucket - 1 as bucket, (d.value = 'all')::integer * ${countIn('d.running_counts')} as conversions,
        ${countIn('d.running_amounts')} as value, (d.value = 'attributed')::integer * ${countIn('d.running_counts')} as attributed
      from conversion_counts d
      ${eachBucket}
      where ${isOf(query)} and d.day >= ${firstDay}::date and d.day < ${endDay}::date`,
        ...edges.map((edge) => {
          const sign = sql.lit(edge.sign);
          return sql`
      select goal_id, ${bucketOf('at', buckets.starts)}, ${sign}, ${sign} * coalesce(value, 0), ${sign} * (send_id is not null)::integer
      from current_conversions
      where ${isIn(query, edge)}`;
        }),
      ],
      sql` union all `,
    )}
  )`;
}

/** Counts conversions, and sums their values, by bucket. */
export const countConversions = (
  trx: Transaction,
  query: StatisticsQuery,
  span: TimeSpan,
  buckets: Buckets,
) => rowsOf<{ bucket: number; count: number; value: number }>(trx)`
  select bucket, sum(conversions)::bigint as count, sum(value)::float8 as value
  from ${conversionSums(query, span, buckets)} c
  group by 1
`;

/** A visitor that is no longer known, because its visits were erased, is one for each conversion. */
const convertedVisitors = sql`count(distinct coalesce(c.visitor_id, c.event_id))`;

/** Counts visitors with a conversion, each once: all conversions are read, from an index, since visitors do not add up. */
export const countConvertedVisitors = (
  trx: Transaction,
  query: StatisticsQuery,
  span: TimeSpan,
) => onlyValueOf<number>(trx)`
  select ${convertedVisitors}::bigint as count from current_conversions c where ${isIn(query, span)}
`;

/** Sums the conversions of each goal, also of those without any. */
export const sumByGoal = (
  trx: Transaction,
  query: StatisticsQuery,
  span: TimeSpan,
  previous: TimeSpan,
): Promise<WebsiteConversions['goals']> => rowsOf<WebsiteConversions['goals'][number]>(trx)`
  select g.id as goal_id, g.event, coalesce(c.conversions, 0) as conversions, coalesce(c.value, 0)::float8 as value,
    coalesce(c.attributed, 0) as attributed, coalesce(v.converted_visitors, 0) as converted_visitors,
    coalesce(b.conversions, 0) as previous_conversions
  from conversion_goals g
  left join (
    select goal_id, sum(conversions)::bigint as conversions, sum(value) as value, sum(attributed)::bigint as attributed
    from ${conversionSums(query, span)} s
    group by 1
  ) c on c.goal_id = g.id
  left join (
    select goal_id, sum(conversions)::bigint as conversions
    from ${conversionSums(query, previous)} s
    group by 1
  ) b on b.goal_id = g.id
  left join (
    select c.goal_id, ${convertedVisitors}::bigint as converted_visitors
    from conversions c
    where ${isIn(query, span)}
    group by 1
  ) v on v.goal_id = g.id
  where g.organization_id = ${query.organizationId} and g.touchpoint_id = ${query.touchpointId}
  order by conversions desc, g.event
`;

type ByEmail = Omit<WebsiteConversions['emails'][number], 'touchpoint'> &
  ({ id: string; name: string } | { id: null; name: null });

/**
 * Sums the conversions of each email that led to some; those that the caller cannot read are added up under null. How many
 * messages have one in the span cannot be added up from parts of it: all that are attributed are read, in the order of an index,
 * because a hash of messages would not fit into the memory of a statement. Goals are looked up before, which leaves a scan of the
 * index alone.
 */
export const sumByEmail = (trx: Transaction, query: StatisticsQuery, span: TimeSpan) => rowsOf<ByEmail>(trx)`
  select t.id, t.name, sum(c.converted)::bigint as converted, sum(c.conversions)::bigint as conversions,
    coalesce(sum(c.value), 0)::float8 as value
  from (
    select email_touchpoint_id, send_id, count(distinct seq) as converted, count(*) as conversions, sum(value) as value
    from conversions
    where ${isIn(query, span)} and send_id is not null and goal_id = any (array(
      select id from conversion_goals
      where organization_id = ${query.organizationId} and touchpoint_id = ${query.touchpointId}))
    group by 1, 2
  ) c
  left join current_touchpoints t on t.organization_id = ${query.organizationId} and t.id = c.email_touchpoint_id
  group by 1, 2
  order by conversions desc, t.id
`;
