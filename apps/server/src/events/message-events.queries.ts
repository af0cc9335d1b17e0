import type { PreparedStatement, Step } from '../platform/database/pipelined.ts';
import type { EventCondition, MessageEvent } from './event.ts';

/**
 * Condition that the send of a row is not a test, and still exists with its organization. The event tables have no foreign
 * keys, because these would be checked for each row of each event, and a server keeps a send in memory long after it was
 * erased. An erasure (operations/retention/erase.ts) locks the organization, and so waits for transactions that store
 * events. The scalar subqueries make PostgreSQL look up the rows by key in any plan.
 */
const isThere = (row: string) =>
  `(select true from organizations where id = $1 for key share)
        and (select true from touchpoint_sends s where s.organization_id = $1 and s.id = ${row}.send_id
          and s.kind <> 'test')`;

const always: EventCondition = { name: 'always', text: 'true' };

/**
 * Stores events that happen once per delivery: only new ones count, and only the first of several in one batch. They are
 * added to the totals of quarters of an hour, then to the sums over all time, then to days. Concurrent batches of the same
 * sends wait for each other and never deadlock, because the steps run in this order, each in the order of its keys.
 */
const insertOnce = (condition: EventCondition): PreparedStatement => ({
  name: `insert_events_once_${condition.name}`,
  text: `
    with event as materialized (
      select distinct on (send_id, type, seq) id, touchpoint_id, send_id, seq, type, ${condition.at ?? 'e.at'} as at, user_agent,
        ip_prefix
      from json_to_recordset($2::json) as e (id uuid, touchpoint_id uuid, send_id uuid, seq int, type text,
        at timestamptz, user_agent text, ip_prefix text)
      where ${condition.text} and ${isThere('e')}
      order by send_id, type, seq, e.at
    ), new as (
      insert into delivery_event_counts
        (organization_id, send_id, type, seq, link_no, touchpoint_id, human_count, bot_count, first_human_at)
      select $1::uuid, send_id, type, seq, -1, touchpoint_id, 1, 0, at from event
      on conflict do nothing
      returning send_id, type, seq
    ), kept as (
      insert into events (organization_id, id, touchpoint_id, send_id, seq, type, at, user_agent, ip_prefix)
      select $1::uuid, id, touchpoint_id, send_id, seq, type, at, user_agent, ip_prefix
      from event
      join new using (send_id, type, seq)
      returning touchpoint_id, send_id, type, at
    ), added as materialized (
      select touchpoint_id, send_id, type, date_bin('15 minutes', kept.at, 'epoch') as at, count(*) as unique_count,
        count(*) as human_count, 0 as bot_count
      from kept
      group by 1, 2, 3, 4
    ), in_quarters as (
      insert into delivery_event_totals as t
        (organization_id, touchpoint_id, send_id, type, at, unique_count, human_count, bot_count)
      select $1::uuid, touchpoint_id, send_id, type, at, unique_count, human_count, bot_count
      from added
      order by touchpoint_id, type, at, send_id
      on conflict (organization_id, touchpoint_id, type, at, send_id) do update
      set unique_count = t.unique_count + excluded.unique_count,
        human_count = t.human_count + excluded.human_count,
        bot_count = t.bot_count + excluded.bot_count
      returning true
    ), in_sums as (
      insert into delivery_event_sums as s
        (organization_id, touchpoint_id, send_id, type, unique_count, human_count, bot_count)
      select $1::uuid, touchpoint_id, send_id, type, sum(unique_count), sum(human_count), sum(bot_count)
      from added
      where (select count(*) from in_quarters) >= 0
      group by touchpoint_id, send_id, type
      order by touchpoint_id, send_id, type
      on conflict (organization_id, touchpoint_id, send_id, type) do update
      set unique_count = s.unique_count + excluded.unique_count,
        human_count = s.human_count + excluded.human_count,
        bot_count = s.bot_count + excluded.bot_count
      returning true
    )
    insert into delivery_event_days as d (organization_id, day, send_id, type, running_counts)
    select $1::uuid, (at at time zone 'UTC')::date, send_id, type,
      to_running_counts(array_agg(extract(epoch from at)::bigint % 86400 / 900)::integer[], array_agg(unique_count)::integer[])
    from added
    where (select count(*) from in_sums) >= 0 and unique_count > 0 and type <> 'BOUNCE'
    group by 2, send_id, type
    order by 2, send_id, type
    on conflict (organization_id, day, send_id, type) do update
    set running_counts = add_running_counts(d.running_counts, excluded.running_counts)`,
});

/** @returns the statement that stores once-only events of one organization, as a step of a transaction */
export const storeOnce = (
  organizationId: string,
  events: readonly MessageEvent[],
  condition = always,
): Step => ({
  ...insertOnce(condition),
  values: [organizationId, JSON.stringify(events.map(toRow))],
});

/**
 * @returns the statement that appends opens and clicks of any organizations. They are counted when they are folded; until
 * then, the views of db/views/events.sql add them.
 */
export const appendMessageEvents = (events: readonly MessageEvent[]): Step => ({
  name: 'append_message_events',
  text: 'select append_message_events($1::json)',
  values: [JSON.stringify(events.map(toRow))],
});

const toRow = (event: MessageEvent) => ({
  organization_id: event.organizationId,
  id: event.id,
  touchpoint_id: event.touchpointId,
  send_id: event.sendId,
  seq: event.seq,
  type: event.type,
  at: event.at,
  link_no: event.linkNo,
  is_bot: event.isBot,
  is_first_only: event.isFirstOnly === true,
  user_agent: event.userAgent,
  ip_prefix: event.ipPrefix,
  country: event.country ?? null,
});
