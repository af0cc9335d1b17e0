import { sql } from 'kysely';
import type { Funnel } from '@reachout/contract/statistics.ts';
import { rowsOf, type Transaction } from '../../platform/database/database.ts';

/** Sums the funnel of each email of a campaign to which something was sent, by their first send; without tests. */
export async function sumFunnels(
  trx: Transaction,
  organizationId: string,
  campaignId: string,
): Promise<(Funnel & { id: string; name: string })[]> {
  const ofCampaign = (column: string) =>
    sql`organization_id = ${organizationId} and ${sql.ref(column)} = any(array(select id from email))`;
  return await rowsOf<Funnel & { id: string; name: string }>(trx)`
    with email as materialized (
      select id, name from current_touchpoints
      where organization_id = ${organizationId} and campaign_id = ${campaignId}
    ), sent as (
      select touchpoint_id, min(send_date) as first_date, sum(recipients_total_sent_count)::bigint as delivered,
        sum(recipients_not_measured_count)::bigint as not_measured
      from counted_sends
      where ${ofCampaign('touchpoint_id')} and kind <> 'test'
      group by 1
    ), reacted as (
      select touchpoint_id, sum(running_counts[1]) filter (where dimension = 'CLICK')::bigint as clicked,
        sum(running_counts[1]) filter (where dimension = 'VISIT')::bigint as visited
      from counts
      where ${ofCampaign('touchpoint_id')} and day = '-infinity' and value = 'unique'
      group by 1
    ), converted as (
      select touchpoint_id, sum(converted)::bigint as converted, sum(conversions)::bigint as conversions,
        sum(value)::float8 as conversion_value
      from (
        -- By send, so that the order of an index has equal messages together: nothing is sorted.
        select email_touchpoint_id as touchpoint_id, send_id, count(distinct seq) as converted, count(*) as conversions,
          sum(value) as value
        from current_conversions
        where ${ofCampaign('email_touchpoint_id')} and send_id is not null
        group by 1, 2
      ) of_sends
      group by 1
    )
    select t.id, t.name, s.delivered, s.not_measured, coalesce(r.clicked, 0) as clicked, coalesce(r.visited, 0) as visited,
      coalesce(c.converted, 0) as converted, coalesce(c.conversions, 0) as conversions,
      coalesce(c.conversion_value, 0) as conversion_value
    from email t
    join sent s on s.touchpoint_id = t.id
    left join reacted r on r.touchpoint_id = t.id
    left join converted c on c.touchpoint_id = t.id
    order by s.first_date, t.id
  `;
}
