import { sql } from 'kysely';
import type { WebsiteConversions } from '@reachout/contract/statistics.ts';
import type { TimeSpan } from '@reachout/contract/period.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { StatisticsQuery } from './email-statistics.queries.ts';

const isIn = ({ organizationId, touchpointId }: StatisticsQuery, { start, end }: TimeSpan) =>
  sql`organization_id = ${organizationId} and touchpoint_id = ${touchpointId} and at >= ${start} and at < ${end}`;

/**
 * The conversions of a website in a span whose goal was not removed. Its goals are few: looked up before, they leave a scan of an
 * index alone.
 */
export const conversionsIn = (query: StatisticsQuery, span: TimeSpan) => sql`(
  select at, value, email_touchpoint_id, send_id, seq
  from conversions
  where ${isIn(query, span)} and goal_id = any (array(
    select id from conversion_goals
    where organization_id = ${query.organizationId} and touchpoint_id = ${query.touchpointId}))
)`;

/** Sums the conversions of each goal, also of those without any. */
export async function sumByGoal(
  trx: Transaction,
  query: StatisticsQuery,
  span: TimeSpan,
  previous: TimeSpan,
): Promise<WebsiteConversions['goals']> {
  const { rows } = await sql<WebsiteConversions['goals'][number]>`
    select g.id as goal_id, g.event, coalesce(c.conversions, 0) as conversions, coalesce(c.value, 0)::float8 as value,
      coalesce(c.attributed, 0) as attributed, coalesce(b.conversions, 0) as previous_conversions
    from conversion_goals g
    left join (
      select goal_id, count(*) as conversions, sum(value) as value, count(send_id) as attributed
      from conversions
      where ${isIn(query, span)}
      group by 1
    ) c on c.goal_id = g.id
    left join (
      select goal_id, count(*) as conversions
      from conversions
      where ${isIn(query, previous)}
      group by 1
    ) b on b.goal_id = g.id
    where g.organization_id = ${query.organizationId} and g.touchpoint_id = ${query.touchpointId}
    order by conversions desc, g.event
  `.execute(trx);
  return rows;
}

type ByEmail = Omit<WebsiteConversions['emails'][number], 'touchpoint'> &
  ({ id: string; name: string } | { id: null; name: null });

/**
 * Sums the conversions of each email that led to some; those that the caller cannot read are added up under null. Messages are
 * counted apart from conversions: sums of each message would not fit into the memory of a statement.
 */
export async function sumByEmail(
  trx: Transaction,
  query: StatisticsQuery,
  span: TimeSpan,
): Promise<ByEmail[]> {
  const { rows } = await sql<ByEmail>`
    select t.id, t.name, sum(m.converted)::bigint as converted, sum(c.conversions)::bigint as conversions,
      coalesce(sum(c.value), 0)::float8 as value
    from (
      select email_touchpoint_id, send_id, count(*) as conversions, sum(value) as value
      from ${conversionsIn(query, span)} c
      where send_id is not null
      group by 1, 2
    ) c
    join (
      select send_id, count(*) as converted
      from (select distinct send_id, seq from ${conversionsIn(query, span)} c where send_id is not null) message
      group by 1
    ) m on m.send_id = c.send_id
    left join current_touchpoints t on t.organization_id = ${query.organizationId} and t.id = c.email_touchpoint_id
    group by 1, 2
    order by conversions desc, t.id
  `.execute(trx);
  return rows;
}
