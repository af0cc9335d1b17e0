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
  const within = ({ start, end }: TimeSpan) => sql`at >= ${start} and at < ${end}`;
  const { rows } = await sql<WebsiteConversions['goals'][number]>`
    select g.id as goal_id, g.event, coalesce(c.conversions, 0) as conversions, coalesce(c.value, 0)::float8 as value,
      coalesce(c.attributed, 0) as attributed, coalesce(c.previous_conversions, 0) as previous_conversions
    from conversion_goals g
    left join (
      select goal_id, count(*) filter (where ${within(span)}) as conversions, sum(value) filter (where ${within(span)}) as value,
        count(send_id) filter (where ${within(span)}) as attributed, count(*) filter (where ${within(previous)}) as previous_conversions
      from current_conversions
      where organization_id = ${organizationId} and touchpoint_id = ${touchpointId}
        and at >= ${previous.start} and at < ${span.end}
      group by goal_id
    ) c on c.goal_id = g.id
    where g.organization_id = ${organizationId} and g.touchpoint_id = ${touchpointId}
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
    select t.id, t.name, count(*)::bigint as converted, sum(c.conversions)::bigint as conversions,
      coalesce(sum(c.value), 0)::float8 as value
    from (
      select email_touchpoint_id, send_id, seq, count(*) as conversions, sum(value) as value
      from current_conversions
      where organization_id = ${organizationId} and touchpoint_id = ${touchpointId} and send_id is not null
        and at >= ${start} and at < ${end}
      group by 1, 2, 3
    ) c
    left join current_touchpoints t on t.organization_id = ${organizationId} and t.id = c.email_touchpoint_id
    group by 1, 2
    order by conversions desc, t.id
  `.execute(trx);
  return rows;
}
