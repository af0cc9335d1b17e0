import { sql } from 'kysely';
import type { Results } from '@reachout/contract/dashboard.ts';
import type { ResultColumn } from '@reachout/contract/rules/dashboard.ts';
import type { TimeSpan } from '@reachout/contract/period.ts';
import { rowsOf, type Transaction } from '../../platform/database/database.ts';
import type { Paging } from '../../platform/database/list-page.ts';
import type { ResultsQuery } from './organization-results.queries.ts';
import { cutByDay } from './quarters.ts';

type Named = { [K in 'touchpoint' | 'brand' | 'client' as `${K}_${'id' | 'name'}`]: string };

/** The sums of all emails have no touchpoint and the number of emails. */
export type EmailResultsRow = Results & (Named | { touchpoint_id: null; count: number }) & { count: number };

/**
 * Sums the results of each email of the access scope in a period that starts on a quarter hour, from the same totals as
 * `sumOrganizationResults`. Emails without a result are left out.
 * @returns one page of emails, and the row of the sums
 */
export async function sumEmailResults(
  trx: Transaction,
  { organizationId, clientId }: ResultsQuery,
  { start, end }: TimeSpan,
  { column, direction, page, page_size }: Paging & { column: ResultColumn; direction: 'asc' | 'desc' },
): Promise<EmailResultsRow[]> {
  const pieces = cutByDay([{ start, end, bucket: 0 }]);
  const order = sql`${sql.ref(column)} ${direction === 'asc' ? sql`asc` : sql`desc`}, touchpoint_id`;
  return await rowsOf<EmailResultsRow>(trx)`
    with sends as materialized (
      select s.id, s.touchpoint_id
      from touchpoint_sends s
      join current_touchpoints t on t.organization_id = s.organization_id and t.id = s.touchpoint_id
      where s.organization_id = ${organizationId} and s.kind <> 'test'
        and (${clientId ?? null}::uuid is null or t.client_id = ${clientId ?? null}::uuid)
    ), figures as (
      select send_id, k.kind, k.count::integer as count
      from counted_results
      cross join lateral (values (state, count), ('not_measured', not_measured)) k(kind, count)
      where organization_id = ${organizationId} and state in ('sent', 'bounced') and at >= ${start} and at < ${end}
      union all
      select d.subject_id, d.dimension, d.running_counts[p.to_quarter] - coalesce(d.running_counts[p.from_quarter], 0)
      from counts d
      join unnest(${pieces.map(({ day }) => day)}::date[], ${pieces.map(({ from }) => from)}::int[],
        ${pieces.map(({ to }) => to)}::int[]) as p(day, from_quarter, to_quarter) on p.day = d.day
      where d.organization_id = ${organizationId} and d.day >= ${pieces[0]?.day ?? null}::date
        and d.day <= ${pieces.at(-1)?.day ?? null}::date
        and d.dimension in ('OPEN_EMAIL', 'CLICK', 'UNSUBSCRIBE', 'COMPLAINT') and d.value = 'unique'
      union all
      select send_id, 'converted', 1 from converted_messages
      where organization_id = ${organizationId} and first_at >= ${start} and first_at < ${end}
    ), emails as materialized (
      select s.touchpoint_id,
        coalesce(sum(f.count) filter (where f.kind = 'sent'), 0)::bigint as delivered,
        coalesce(sum(f.count) filter (where f.kind = 'not_measured'), 0)::bigint as not_measured,
        coalesce(sum(f.count) filter (where f.kind = 'bounced'), 0)::bigint as bounced,
        coalesce(sum(f.count) filter (where f.kind = 'OPEN_EMAIL'), 0)::bigint as opened,
        coalesce(sum(f.count) filter (where f.kind = 'CLICK'), 0)::bigint as clicked,
        coalesce(sum(f.count) filter (where f.kind = 'converted'), 0)::bigint as converted,
        coalesce(sum(f.count) filter (where f.kind = 'UNSUBSCRIBE'), 0)::bigint as unsubscribed,
        coalesce(sum(f.count) filter (where f.kind = 'COMPLAINT'), 0)::bigint as complained
      from figures f
      join sends s on s.id = f.send_id
      where f.count > 0 and f.kind in ('sent', 'not_measured', 'bounced', 'OPEN_EMAIL', 'CLICK', 'converted', 'UNSUBSCRIBE', 'COMPLAINT')
      group by s.touchpoint_id
    ), page as (
      select * from emails
      order by ${order}
      limit ${page_size} offset ${page * page_size}
    )
    select t.id as touchpoint_id, t.name as touchpoint_name, t.brand_id, t.brand_name, t.client_id, t.client_name,
      p.delivered, p.not_measured, p.bounced, p.opened, p.clicked, p.converted, p.unsubscribed, p.complained, 0 as count
    from page p
    join current_touchpoints t on t.organization_id = ${organizationId} and t.id = p.touchpoint_id
    union all
    select null, null, null, null, null, null, coalesce(sum(delivered), 0)::bigint, coalesce(sum(not_measured), 0)::bigint,
      coalesce(sum(bounced), 0)::bigint,
      coalesce(sum(opened), 0)::bigint, coalesce(sum(clicked), 0)::bigint, coalesce(sum(converted), 0)::bigint, coalesce(sum(unsubscribed), 0)::bigint,
      coalesce(sum(complained), 0)::bigint, count(*)::int
    from emails
    order by ${order}
  `;
}
