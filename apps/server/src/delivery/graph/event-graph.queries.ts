import { sql } from 'kysely';
import type {
  TouchpointEvent,
  TouchpointEventAction,
  TouchpointEventListener,
  TouchpointEventType,
} from '@reachout/contract/event-graph.ts';
import type { DueDate } from '../../queue/add-reactions.queries.ts';
import type { Delayed } from '../../queue/reactions.queries.ts';
import type { ListenerTerms } from '../../queue/release-reactions.queries.ts';
import { maxRecords } from '@reachout/contract/operation.ts';
import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import { orNotFound } from '../../platform/http/api-error.ts';
import {
  execute,
  firstRowOf,
  onlyRowOf,
  onlyValueOf,
  rowsOf,
  type NewRow,
  type Row,
  type Transaction,
} from '../../platform/database/database.ts';

export const listActions = (trx: Transaction) => rowsOf<TouchpointEventAction>(trx)`
  select id, name, notifier_touchpoint_type, listener_touchpoint_type from touchpoint_event_actions order by id
`;

export const listTypes = (trx: Transaction) => rowsOf<TouchpointEventType>(trx)`
  select touchpoint_type, event_type from touchpoint_event_types order by 1, 2
`;

/** An event without its listeners. */
export type EventRow = Omit<TouchpointEvent, 'listeners'>;

/** Of campaigns and notifiers that are not deleted. */
const selectEvents = sql`
  select e.id, e.organization_id, e.campaign_id, jsonb_build_object('id', c.id, 'name', c.name) as campaign,
    jsonb_build_object('id', c.brand_id, 'name', c.brand_name) as brand, jsonb_build_object('id', c.client_id, 'name', c.client_name) as client,
    e.event_type, e.event, e.is_active, e.notifier_touchpoint_id, n.name as notifier_name, e.touchpoint_event_action_id, a.name as action,
    e.form_id, e.collection, e.value, e.days, e.is_yearly, e.created_at, e.updated_at
  from touchpoint_events e
  join current_campaigns c on c.organization_id = e.organization_id and c.id = e.campaign_id
  join touchpoint_event_actions a on a.id = e.touchpoint_event_action_id
  left join current_touchpoints n on n.organization_id = e.organization_id and n.id = e.notifier_touchpoint_id
  where (e.notifier_touchpoint_id is null or n.id is not null)`;

/** The oldest first. @param touchpoint_id  notifies or reacts */
export const listEvents = (
  trx: Transaction,
  {
    campaign_id = null,
    touchpoint_id = null,
  }: Changes<Record<'campaign_id' | 'touchpoint_id', string | null>>,
) => rowsOf<EventRow>(trx)`${selectEvents}
    and coalesce(e.campaign_id = ${campaign_id}, true) and (
      ${touchpoint_id}::uuid is null or e.notifier_touchpoint_id = ${touchpoint_id}
      or e.id in (select l.touchpoint_event_id from touchpoint_event_listeners l where l.listener_touchpoint_id = ${touchpoint_id})
    )
  order by e.created_at, e.id
`;

/** @throws 404, also if its campaign or notifier is deleted */
export const getEvent = async (trx: Transaction, id: string): Promise<EventRow> =>
  orNotFound(await firstRowOf<EventRow>(trx)`${selectEvents} and e.id = ${id}`);

/** A listener without its reactions. */
export type ListenerRow = Omit<TouchpointEventListener, 'numbers' | 'skip_reasons' | 'next_due_at'> &
  Row<'event_listeners', 'action' | 'listener_type'>;

/** Lists the listeners of events whose touchpoints are not deleted, the oldest first. */
export const listListeners = (trx: Transaction, eventIds: readonly string[]) => rowsOf<ListenerRow>(trx)`
  select id, touchpoint_event_id, listener_touchpoint_id, listener_name, listener_status, listener_type, action, delay, unless,
    once_per_contact, quiet_hours, dropped_count, created_at, updated_at
  from event_listeners
  where touchpoint_event_id = any(${[...eventIds]}::uuid[])
  order by created_at, id
`;

/** The listeners of reactions. */
export const listTerms = (
  trx: Transaction,
  reactions: readonly { listener_id: string }[],
) => rowsOf<ListenerTerms>(trx)`
  select l.id, l.delay, l.unless, l.quiet_hours, greatest(l.updated_at, e.updated_at) as changed_at
  from touchpoint_event_listeners l
  join touchpoint_events e on e.organization_id = l.organization_id and e.id = l.touchpoint_event_id
  where l.id = any(${reactions.map(({ listener_id: id }) => id)}::uuid[])
`;

/** The listeners of an event, also those whose touchpoints are deleted: what waits for them changes with the others. */
export const listDelays = (trx: Transaction, eventId: string) => rowsOf<Delayed>(trx)`
  select id, delay from touchpoint_event_listeners where touchpoint_event_id = ${eventId}
`;

/** Changes of the graph run one after another: two that are right by themselves could make a loop together. */
export const lockGraph = (trx: Transaction, organizationId: string) => execute(trx)`
  select pg_advisory_xact_lock(hashtextextended(${`event graph of ${organizationId}`}, 0))
`;

export const countEvents = (trx: Transaction) => onlyValueOf<number>(trx)`
  select count(*) as count from touchpoint_events
`;

type EventColumns = Omit<NewRow<'touchpoint_events'>, 'source'>;

export async function insertEvent(trx: Transaction, row: EventColumns): Promise<void> {
  await trx.insertInto('touchpoint_events').values(row).execute();
}

/** Undefined values stay as they are. */
type Changes<T> = { [K in keyof T]?: T[K] | undefined };

export async function updateEvent(
  trx: Transaction,
  id: string,
  changes: Changes<EventColumns>,
): Promise<void> {
  const set = { ...changes, updated_at: sql<string>`now()` };
  await trx.updateTable('touchpoint_events').set(set).where('id', '=', id).execute();
}

export async function deleteEvent(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('touchpoint_events').where('id', '=', id).execute();
}

type ListenerColumns = Omit<NewRow<'touchpoint_event_listeners'>, 'unless'> &
  Pick<TouchpointEventListener, 'unless'>;

const toColumns = <T extends Changes<Pick<ListenerColumns, 'unless'>>>({ unless, ...row }: T) => ({
  ...row,
  ...(unless !== undefined && { unless: unless && JSON.stringify(unless) }),
});

export async function insertListener(trx: Transaction, row: ListenerColumns): Promise<void> {
  await trx.insertInto('touchpoint_event_listeners').values(toColumns(row)).execute();
}

export async function updateListener(
  trx: Transaction,
  id: string,
  changes: Changes<ListenerColumns>,
): Promise<void> {
  const set = { ...toColumns(changes), updated_at: sql<string>`now()` };
  await trx.updateTable('touchpoint_event_listeners').set(set).where('id', '=', id).execute();
}

export async function deleteListener(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('touchpoint_event_listeners').where('id', '=', id).execute();
}

/** Whom an email reaches by a reaction that may repeat, from a message of which touchpoint. Also of deleted ones, which can be restored. */
export const listRepeatingEdges = (trx: Transaction) => rowsOf<{
  from: string;
  to: string;
}>(trx)`
  select distinct e.notifier_touchpoint_id as "from", l.listener_touchpoint_id as "to"
  from touchpoint_events e
  join touchpoint_event_actions a on a.id = e.touchpoint_event_action_id and a.name = 'send_email'
  join touchpoint_event_listeners l on l.organization_id = e.organization_id and l.touchpoint_event_id = e.id
  where e.notifier_touchpoint_id is not null and not l.once_per_contact
  order by 1, 2
`;

/** @returns name, type, status and brand of touchpoints that are not deleted */
export const findTouchpoints = (trx: Transaction, ids: readonly string[]) =>
  rowsOf<Row<'touchpoint_overviews', 'id' | 'name' | 'type' | 'status' | 'brand_id'>>(
    trx,
  )`select id, name, type, status, brand_id from current_touchpoints where id = any(${[...ids]}::uuid[])`;

/** Finds the oldest touchpoint of a type, one of the campaign before others of the brand, that is not archived. */
export const findOldest = (
  trx: Transaction,
  { brand_id, campaign_id }: { brand_id: string; campaign_id: string },
  type: TouchpointType,
) => firstRowOf<{ id: string; campaign_id: string }>(trx)`
  select id, campaign_id from current_touchpoints
  where brand_id = ${brand_id} and type = ${type} and status <> 'archived'
  order by campaign_id = ${campaign_id} desc, created_at, id
  limit 1
`;

export interface Matches {
  items: { value: string; count: number; is_matched: boolean }[];
  count: number;
  matched_count: number;
}

/** What the events of a touchpoint of the last 30 days are about, the most frequent first. @param pattern  null matches all */
export const listMatches = (
  trx: Transaction,
  touchpointId: string,
  { event_type, event }: { event_type: string; event: string | null },
) => onlyRowOf<Matches>(trx)`
  with found as materialized (
    select v.value, v.count, ${event === null ? sql`true` : sql`coalesce(matches_pattern(${event}, v.value), false)`} as is_matched
    from event_values(current_organization_id(), ${touchpointId}, ${event_type}, now() - interval '30 days') v
  )
  select coalesce(sum(f.count), 0)::bigint as count, coalesce(sum(f.count) filter (where f.is_matched), 0)::bigint as matched_count,
    coalesce((
      select jsonb_agg(n order by n.count desc, n.value)
      from (select * from found n where n.value is not null order by n.count desc, n.value limit ${maxRecords}) n
    ), '[]') as items
  from found f
`;

/** Notes until which day the dates of contacts were looked up. */
export const noteLookUp = (
  trx: Transaction,
  { organization_id, touchpoint_event_id, day }: DueDate,
) => execute(trx)`
  update touchpoint_events set looked_up_until = greatest(looked_up_until, ${day}::date)
  where organization_id = ${organization_id} and id = ${touchpoint_event_id}
`;
