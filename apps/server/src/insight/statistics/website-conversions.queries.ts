import { sql } from 'kysely';
import type { WebsiteConversions } from '@reachout/contract/statistics.ts';
import type { TimeSpan } from '@reachout/contract/period.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { StatisticsQuery } from './email-statistics.queries.ts';

/** Sums the conversions of each goal, also of those without any. */
export async function sumByGoal(
  trx: Transaction,
  { organizationId, touchpointId }: StatisticsQuery,
  span: TimeSpan,
  previous: TimeSpan,
): Promise<WebsiteConversions['goals']> {
  const within = ({ start, end }: TimeSpan) => sql`c.at >= ${start} and c.at < ${end}`;
  const { rows } = await sql<WebsiteConversions['goals'][number]>`
    select g.id as goal_id, g.event, count(*) filter (where ${within(span)})::bigint as conversions,
      coalesce(sum(c.value) filter (where ${within(span)}), 0)::float8 as value,
      count(c.send_id) filter (where ${within(span)})::bigint as attributed,
      count(*) filter (where ${within(previous)})::bigint as previous_conversions
    from conversion_goals g
    left join conversions c on c.organization_id = g.organization_id and c.touchpoint_id = g.touchpoint_id and c.goal_id = g.id
      and (${within(span)} or ${within(previous)})
    where g.organization_id = ${organizationId} and g.touchpoint_id = ${touchpointId}
    group by g.id, g.event
    order by conversions desc, g.event
  `.execute(trx);
  return rows;
}

type ByEmail = Omit<WebsiteConversions['emails'][number], 'touchpoint'> &
  ({ id: string; name: string } | { id: null; name: null });

/** Sums the conversions of each email that led to some; those that the caller cannot read are added up under null. */
export async function sumByEmail(
  trx: Transaction,
  { organizationId, touchpointId }: StatisticsQuery,
  { start, end }: TimeSpan,
): Promise<ByEmail[]> {
  const { rows } = await sql<ByEmail>`
    select t.id, t.name, count(distinct (c.send_id, c.seq))::bigint as converted, count(*)::bigint as conversions,
      coalesce(sum(c.value), 0)::float8 as value
    from current_conversions c
    left join current_touchpoints t on t.organization_id = c.organization_id and t.id = c.email_touchpoint_id
    where c.organization_id = ${organizationId} and c.touchpoint_id = ${touchpointId} and c.send_id is not null
      and c.at >= ${start} and c.at < ${end}
    group by 1, 2
    order by conversions desc, t.id
  `.execute(trx);
  return rows;
}
