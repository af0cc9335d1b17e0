import { sql } from 'kysely';
import type { Transaction } from '../platform/database/database.ts';
import type { MessageEvent } from './event.ts';

/**
 * How many events of one delivery, type and link are kept as rows, of people and of machines each (LNK-5). All are
 * counted.
 */
export const keptEvents = 20;

/**
 * Counts events and keeps the first few of each delivery as rows, in one statement. Counts are written in the order of
 * their keys, so that two processes that store the same deliveries cannot block each other for good. A message's first
 * event is the one that was stored first, whatever the clocks of several processes say: the moment never changes again,
 * and stays in the quarter of an hour whose total it is part of.
 */
export async function storeEvents(
  trx: Transaction,
  organizationId: string,
  events: readonly MessageEvent[],
): Promise<void> {
  const rows = JSON.stringify(events.map(toRow));
  await sql`
    with batch as materialized (
      select *, row_number() over (partition by send_id, type, seq, link_no, automatic order by at, id) as n
      from json_to_recordset(${rows}::json) as e (id uuid, touchpoint_id uuid, send_id uuid, seq int, type text,
        at timestamptz, link_no int, automatic boolean, user_agent text, network text)
    ), keyed as (
      select touchpoint_id, send_id, type, seq, at, automatic, key.link_no
      from batch
      cross join lateral (select -1 as link_no union all select batch.link_no where batch.link_no is not null) key
    ), summed as (
      select send_id, type, seq, link_no, touchpoint_id,
        count(*) filter (where not automatic) as human_count,
        count(*) filter (where automatic) as automatic_count,
        min(at) filter (where not automatic) as first_human_at
      from keyed
      group by send_id, type, seq, link_no, touchpoint_id
    ), counted as (
      insert into delivery_event_counts as c
        (organization_id, send_id, type, seq, link_no, touchpoint_id, human_count, automatic_count, first_human_at)
      select ${organizationId}::uuid, send_id, type, seq, link_no, touchpoint_id, human_count, automatic_count, first_human_at
      from summed
      order by send_id, type, seq, link_no
      on conflict (organization_id, send_id, type, seq, link_no) do update
      set human_count = c.human_count + excluded.human_count,
        automatic_count = c.automatic_count + excluded.automatic_count,
        first_human_at = coalesce(c.first_human_at, excluded.first_human_at)
      returning send_id, type, seq, link_no, human_count, automatic_count
    ), firsts as (
      select s.touchpoint_id, s.send_id, s.type, s.first_human_at as at
      from summed s
      join counted c on c.send_id = s.send_id and c.type = s.type and c.seq = s.seq and c.link_no = s.link_no
      where s.link_no = -1 and s.human_count > 0 and c.human_count = s.human_count
    ), totals as (
      insert into delivery_event_totals as t
        (organization_id, touchpoint_id, send_id, type, at, unique_count, human_count, automatic_count)
      select ${organizationId}::uuid, touchpoint_id, send_id, type, date_bin('15 minutes', at, 'epoch') as quarter,
        count(*) filter (where is_first), count(*) filter (where is_human), count(*) filter (where is_automatic)
      from (
        select touchpoint_id, send_id, type, at, true as is_first, false as is_human, false as is_automatic from firsts
        union all
        select touchpoint_id, send_id, type, at, false, not automatic, automatic from batch
      ) each
      group by touchpoint_id, send_id, type, quarter
      order by touchpoint_id, type, quarter, send_id
      on conflict (organization_id, touchpoint_id, type, at, send_id) do update
      set unique_count = t.unique_count + excluded.unique_count,
        human_count = t.human_count + excluded.human_count,
        automatic_count = t.automatic_count + excluded.automatic_count
    )
    insert into events
      (organization_id, id, touchpoint_id, send_id, seq, type, at, link_no, automatic, user_agent, network)
    select ${organizationId}::uuid, b.id, b.touchpoint_id, b.send_id, b.seq, b.type, b.at, b.link_no, b.automatic, b.user_agent, b.network
    from batch b
    join summed s on s.send_id = b.send_id and s.type = b.type and s.seq = b.seq and s.link_no = coalesce(b.link_no, -1)
    join counted c on c.send_id = b.send_id and c.type = b.type and c.seq = b.seq and c.link_no = s.link_no
    where b.n + case when b.automatic then c.automatic_count - s.automatic_count else c.human_count - s.human_count end
      <= ${keptEvents}::int
  `.execute(trx);
}

const toRow = (event: MessageEvent) => ({
  id: event.id,
  touchpoint_id: event.touchpointId,
  send_id: event.sendId,
  seq: event.seq,
  type: event.type,
  at: event.at.toISOString(),
  link_no: event.linkNo,
  automatic: event.automatic,
  user_agent: event.userAgent,
  network: event.network,
});
