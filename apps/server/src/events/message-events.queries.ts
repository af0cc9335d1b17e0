import type { PreparedStatement, Step } from '../platform/database/pipelined.ts';
import { addReactionsTo } from '../queue/add-reactions.ts';
import { rowsOf, valuesOf, type Transaction } from '../platform/database/database.ts';
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
 * added to the counts at once. Concurrent batches of the same sends wait for each other and never deadlock, because each step locks
 * in the order of its keys.
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
      returning touchpoint_id, send_id, seq, type, at
    )
    select add_to_counts(array(
      select row($1::uuid, k.touchpoint_id, k.send_id, k.type, v.value, k.at, 1, null)::count_delta
      from kept k, (values ('unique'), ('human')) v (value)
    )), ${addReactionsTo(`
      select row($1::uuid, k.type, k.touchpoint_id, null, concat_ws('/', k.send_id, k.seq), k.at, true, k.send_id, k.seq, null, null, null,
        null, null, null)::cause
      from kept k
      where listens_to($1::uuid, k.touchpoint_id::text, k.type)`)}`,
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

/** A brand with more complaints in a week has passed each limit. */
const mostListed = 10_000;

/** @returns the messages of sends that had an event of a type in the last seven days, up to a number of them */
export const listLately = (
  trx: Transaction,
  type: MessageEvent['type'],
  organizationId: string,
  sends: readonly { send_id: string; touchpoint_id: string }[],
) => rowsOf<{ send_id: string; seq: number }>(trx)`
  select send_id, seq from events
  where organization_id = ${organizationId} and touchpoint_id = any(${sends.map((of) => of.touchpoint_id)}::uuid[]) and type = ${type}
    and at >= now() - interval '7 days' and send_id = any(${sends.map((of) => of.send_id)}::uuid[])
  limit ${mostListed}
`;

/** @returns those of the messages that have an event of a type that happens once */
export const listWithEvent = (
  trx: Transaction,
  type: MessageEvent['type'],
  { organizationId, sendId }: Pick<MessageEvent, 'organizationId' | 'sendId'>,
  seqs: readonly number[],
) => valuesOf<number>(trx)`
  select seq from delivery_event_counts
  where organization_id = ${organizationId} and send_id = ${sendId} and type = ${type} and seq = any(${seqs}::int[]) and link_no = -1
`;

/**
 * @returns the statement that appends opens and clicks of any organizations. They are counted when they are folded.
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
