import { sql } from 'kysely';
import type { SendStatus } from '@reachout/contract/states/send.ts';
import { rowsOf, type Transaction } from '../../platform/database/database.ts';
import {
  countedKinds,
  isInScope,
  liveKinds,
  plannedAt,
  recordColumns,
  type FigureLevel,
  type FigureScope,
} from './figures-sql.ts';

export interface FiguresRow {
  record_id: string;
  recipients: number;
  delivered: number;
  not_measured: number;
  opened: number;
  clicked: number;
  converted: number;
  conversions: number;
  email_touchpoint_id: string | null;
  /** Null before the first send; the other columns of the send are null then, too. */
  send_id: string | null;
  touchpoint_id: string;
  status: SendStatus;
  at: string;
  by: string | null;
  send_recipients: number;
  send_delivered: number;
}

/**
 * The current figures of some records; records without a touchpoint are left out. Read from counters of sends and sums
 * of events: individual results and events are not counted.
 */
export async function listFigures(
  trx: Transaction,
  level: FigureLevel,
  ids: readonly string[],
  scope: FigureScope,
): Promise<FiguresRow[]> {
  const record = sql.ref(`t.${recordColumns[level]}`);
  return await rowsOf<FiguresRow>(trx)`
    with touchpoint as materialized (
      select t.organization_id, t.id, ${record} as record_id, t.type, t.created_at
      from current_touchpoints t
      where ${record} = any(${[...ids]}::uuid[]) and ${isInScope(scope)}
    ), send as materialized (
      select t.record_id, s.id, s.touchpoint_id, s.kind, s.status, ${plannedAt} as at, s.user_created,
        s.recipients_total_count as recipients, s.recipients_total_sent_count as delivered,
        s.recipients_not_measured_count as not_measured
      from touchpoint t
      join counted_sends s on s.organization_id = t.organization_id and s.touchpoint_id = t.id and s.${countedKinds}
    ), record as (
      select record_id, (array_agg(id order by created_at desc) filter (where type = 'email'))[1] as newest_email_id
      from touchpoint group by 1
    ), results as (
      select record_id, sum(recipients)::bigint as recipients, sum(delivered)::bigint as delivered,
        sum(not_measured)::bigint as not_measured
      from send group by 1
    ), reacted as (
      select t.record_id, sum(e.running_counts[1]) filter (where e.dimension = 'OPEN_EMAIL')::bigint as opened,
        sum(e.running_counts[1]) filter (where e.dimension = 'CLICK')::bigint as clicked
      from touchpoint t
      join counts e on e.organization_id = t.organization_id and e.touchpoint_id = t.id and e.day = '-infinity'
        and e.value = 'unique'
      group by 1
    ), converted as (
      select t.record_id, sum(m.converted)::bigint as converted
      from touchpoint t
      -- A join would count those of all touchpoints. By send, they come in the order of an index.
      cross join lateral (
        select count(distinct seq) as converted from current_conversions
        where organization_id = t.organization_id and email_touchpoint_id = t.id and send_id is not null
        group by send_id
      ) m
      group by 1
    ), on_websites as (
      select t.record_id, sum(c.running_counts[1])::bigint as conversions
      from touchpoint t
      join conversion_counts c on c.organization_id = t.organization_id and c.touchpoint_id = t.id and c.day = '-infinity'
        and c.value = 'all'
      group by 1
    ), last_send as (
      select distinct on (record_id) * from send
      where ${liveKinds}
      order by record_id, at desc, id desc
    )
    select record_id, coalesce(r.recipients, 0) as recipients, coalesce(r.delivered, 0) as delivered,
      coalesce(r.not_measured, 0) as not_measured,
      coalesce(e.opened, 0) as opened, coalesce(e.clicked, 0) as clicked, coalesce(m.converted, 0) as converted,
      coalesce(c.conversions, 0) as conversions,
      coalesce(l.touchpoint_id, i.newest_email_id) as email_touchpoint_id,
      l.id as send_id, l.touchpoint_id, l.status, l.at, u.full_name as by,
      l.recipients as send_recipients, l.delivered as send_delivered
    from record i
    left join results r using (record_id)
    left join reacted e using (record_id)
    left join converted m using (record_id)
    left join on_websites c using (record_id)
    left join last_send l using (record_id)
    left join users u on u.id = l.user_created
  `;
}
