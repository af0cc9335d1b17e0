import type { PreparedStatement, Step } from '../platform/database/pipelined.ts';
import type { EventCondition, MessageEvent } from './event.ts';

/**
 * Maximum events of one delivery, type and link that are stored as rows, separately for people and bots. All events are
 * counted.
 */
export const maxStoredEvents = 20;

/** What a batch adds to the counts of one delivery, type and link. */
export interface CountIncrement {
  send_id: string;
  touchpoint_id: string;
  type: string;
  seq: number;
  /** -1 for the message as a whole. */
  link_no: number;
  human_count: number;
  bot_count: number;
  /** The earliest event by a person in the batch. */
  first_human_at: Date | null;
  /** The first event with `isFirstOnly` in the batch, which `bot_count` includes. */
  first_only_at: Date | null;
}

/** What a batch adds to the total of a quarter of an hour, without first events of messages. */
export interface TotalIncrement {
  touchpoint_id: string;
  send_id: string;
  type: string;
  /** The start of the quarter. */
  at: Date;
  human_count: number;
  bot_count: number;
}

/** An event, with the number of later events of the same delivery, type, link and kind (person or bot) in the batch. */
export interface CountedEvent {
  event: MessageEvent;
  later: number;
  isByBot: boolean;
  /** The first with `isFirstOnly` of its message in the batch. */
  mayBeFirst: boolean;
}

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

/**
 * Adds `added` to the totals of quarters of an hour, then to the sums over all time, then to days. Concurrent batches of the
 * same sends wait for each other and never deadlock, because the steps run in this order, each in the order of its keys.
 */
const addToTotals = `, in_quarters as (
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
    )
, in_sums as (
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
    set running_counts = add_running_counts(d.running_counts, excluded.running_counts)`;

/**
 * A single statement, because most batches of an organization are small, and starting a statement costs more than a row.
 * Counts: the first event of a message is the one that was stored first, regardless of the clocks of several processes, and
 * its time never changes. Events: only the first ones of their delivery, type, link and kind are stored. Totals: all events,
 * and the messages whose first event by a person is in this batch. Events with `isFirstOnly` count as a bot's, but for the first
 * of a message that no person has opened yet.
 */
const storeCounted: PreparedStatement = {
  name: 'store_counted_events',
  text: `
    with increment as materialized (
      select send_id, touchpoint_id, type, seq, link_no, human_count + opened as human_count, bot_count - opened as bot_count,
        case when opened = 1 then first_only_at else first_human_at end as first_human_at, opened
      from json_to_recordset($2::json) as i (send_id uuid, touchpoint_id uuid, type text, seq int, link_no int,
        human_count bigint, bot_count bigint, first_human_at timestamptz, first_only_at timestamptz),
      lateral (
        select case when first_only_at is null or human_count > 0 then 0 else (
          select 1 - count(*) from delivery_event_counts c
          where c.organization_id = $1 and c.send_id = i.send_id and c.type = i.type and c.seq = i.seq
            and c.link_no = i.link_no and c.human_count > 0
        ) end as opened
      ) first_only
      where ${isThere('i')}
    ), counted as (
      insert into delivery_event_counts as c
        (organization_id, send_id, type, seq, link_no, touchpoint_id, human_count, bot_count, first_human_at)
      select $1::uuid, send_id, type, seq, link_no, touchpoint_id, human_count, bot_count, first_human_at
      from increment
      on conflict (organization_id, send_id, type, seq, link_no) do update
      set human_count = c.human_count + excluded.human_count,
        bot_count = c.bot_count + excluded.bot_count,
        first_human_at = coalesce(c.first_human_at, excluded.first_human_at)
      returning send_id, type, seq, link_no, human_count, bot_count
    ), kept as (
      insert into events
        (organization_id, id, touchpoint_id, send_id, seq, type, at, link_no, is_bot, user_agent, ip_prefix)
      select $1::uuid, e.id, e.touchpoint_id, e.send_id, e.seq, e.type, e.at, e.link_no, is_bot, e.user_agent, e.ip_prefix
      from json_to_recordset($3::json) as e (id uuid, touchpoint_id uuid, send_id uuid, seq int, type text,
        at timestamptz, link_no int, by_bot boolean, may_be_first boolean, user_agent text, ip_prefix text, later bigint)
      join counted c
        on c.seq = e.seq and c.send_id = e.send_id and c.type = e.type and c.link_no = coalesce(e.link_no, -1)
      join increment i
        on i.seq = c.seq and i.send_id = c.send_id and i.type = c.type and i.link_no = c.link_no,
      lateral (select e.by_bot and not (e.may_be_first and i.opened = 1) as is_bot) requester
      where case when is_bot then c.bot_count when e.by_bot then 0 else c.human_count end - e.later <= ${maxStoredEvents}
    ), added as materialized (
      select touchpoint_id, send_id, type, at, sum(unique_count) as unique_count, sum(human_count) as human_count,
        sum(bot_count) as bot_count
      from (
        select touchpoint_id, send_id, type, at, 0 as unique_count, human_count, bot_count
        from json_to_recordset($4::json) as a (touchpoint_id uuid, send_id uuid, type text, at timestamptz,
          human_count bigint, bot_count bigint)
        where exists (select from increment where send_id = a.send_id)
        union all
        select i.touchpoint_id, i.send_id, i.type, date_bin('15 minutes', i.first_human_at, 'epoch'), 1, 0, 0
        from increment i
        join counted c on c.seq = i.seq and c.send_id = i.send_id and c.type = i.type and c.link_no = i.link_no
        where i.link_no = -1 and i.human_count > 0 and c.human_count = i.human_count
        union all
        select touchpoint_id, send_id, type, date_bin('15 minutes', first_human_at, 'epoch'), 0, 1, -1
        from increment
        where opened = 1
      ) one
      group by touchpoint_id, send_id, type, at
    )${addToTotals}`,
};

/**
 * @returns the statement that stores a batch of one organization, as a step of a transaction
 * @param increments  each key once, in an order that all processes share: two that count the same deliveries could deadlock
 * otherwise
 */
export const storeBatch = (
  organizationId: string,
  increments: readonly CountIncrement[],
  events: readonly CountedEvent[],
  totals: readonly TotalIncrement[],
): Step => ({
  ...storeCounted,
  values: [organizationId, ...[increments, events.map(toRow), totals].map((rows) => JSON.stringify(rows))],
});

const always: EventCondition = { name: 'always', text: 'true' };

/** Stores events that happen once per delivery: only new ones count, and only the first of several in one batch. */
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
    )${addToTotals}`,
});

/** @returns the statement that stores once-only events of one organization, as a step of a transaction */
export const storeOnce = (
  organizationId: string,
  events: readonly MessageEvent[],
  condition = always,
): Step => ({
  ...insertOnce(condition),
  values: [
    organizationId,
    JSON.stringify(events.map((event) => toRow({ event, later: 0, isByBot: false, mayBeFirst: false }))),
  ],
});

const toRow = ({ event, later, isByBot, mayBeFirst }: CountedEvent) => ({
  id: event.id,
  touchpoint_id: event.touchpointId,
  send_id: event.sendId,
  seq: event.seq,
  type: event.type,
  at: event.at,
  link_no: event.linkNo,
  by_bot: isByBot,
  may_be_first: mayBeFirst,
  user_agent: event.userAgent,
  ip_prefix: event.ipPrefix,
  later,
});
