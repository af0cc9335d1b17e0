import type { TouchpointEvent, TouchpointEventAction, Unless } from '@reachout/contract/event-graph.ts';
import {
  eventMeanings,
  maxListeners,
  maxTouchpointEvents,
  personEventTypes,
  touchpointEventTypes,
  type CauseType,
  type ReactionAction,
} from '@reachout/contract/rules/event-graph.ts';
import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import { findFormOf } from '../../contacts/sign-ups/open-form.ts';
import { requireUsable } from '../../content/collections/content-collection.ts';
import { findContactCollection } from '../../content/gateway/contact-collection.ts';
import { requireCampaign } from '../../outreach/campaigns/campaigns.ts';
import { assertTakesTouchpoints } from '../../outreach/campaigns/campaign-status.ts';
import {
  apiError,
  invalidInput,
  isNotFound,
  orNotFound,
  tooManyRecords,
} from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import { newId } from '../../platform/ids.ts';
import {
  cancelReactionsOf,
  changeActionOf,
  countReactions,
  countWaiting,
  rescheduleReactions,
} from '../../queue/reactions.queries.ts';
import {
  countEvents,
  deleteEvent,
  deleteListener,
  findTouchpoints,
  getEvent,
  insertEvent,
  insertListener,
  listActions,
  listDelays,
  listListeners,
  listRepeatingEdges,
  lockGraph,
  updateEvent,
  updateListener,
  type EventRow,
  type ListenerRow,
} from './event-graph.queries.ts';
import { findLoop } from './find-loop.ts';

/** Whose graph it is. */
interface Place {
  organization_id: string;
  brand_id: string;
  client_id: string;
}

type EventFields = Omit<
  TouchpointEvent,
  | 'id'
  | 'organization_id'
  | 'campaign'
  | 'brand'
  | 'client'
  | 'notifier_name'
  | 'action'
  | 'listeners'
  | 'created_at'
  | 'updated_at'
>;

export interface ListenerFields {
  listener_touchpoint_id: string;
  delay: string;
  unless: Unless | null;
  once_per_contact: boolean;
  quiet_hours: boolean;
}

type Changes<T> = { [K in keyof T]?: T[K] | undefined };

/** @returns events with their listeners, and what is known of their reactions */
export async function describeEvents(
  trx: Transaction,
  rows: readonly EventRow[],
): Promise<TouchpointEvent[]> {
  if (rows.length === 0) return [];
  const listeners = await listListeners(
    trx,
    rows.map(({ id }) => id),
  );
  const counted = await countReactions(
    trx,
    listeners.map(({ id }) => id),
  );
  const ofEvent = Map.groupBy(listeners, ({ touchpoint_event_id }) => touchpoint_event_id);
  return rows.map((row) => ({
    ...row,
    listeners: (ofEvent.get(row.id) ?? []).map(({ action: _action, listener_type: _type, ...listener }) => ({
      ...listener,
      ...counted.get(listener.id)!,
    })),
  }));
}

export const describeEvent = async (trx: Transaction, id: string): Promise<TouchpointEvent> =>
  (await describeEvents(trx, [await getEvent(trx, id)]))[0]!;

/** @returns the id of the event @throws 409 `too_many_records`, `campaign_archived`; 422 */
export async function createEvent(trx: Transaction, fields: EventFields): Promise<string> {
  const place = await requireCampaign(trx, fields.campaign_id).catch((error: unknown) => {
    throw isNotFound(error) ? invalidInput('campaign_id', 'There is no such campaign.') : error;
  });
  await assertTakesTouchpoints(trx, fields.campaign_id);
  await lockGraph(trx, place.organization_id);
  if ((await countEvents(trx)) >= maxTouchpointEvents) throw tooManyRecords(maxTouchpointEvents);
  const checked = await checkEvent(trx, place, fields);
  const id = newId();
  await insertEvent(trx, { ...checked, id, organization_id: place.organization_id });
  return id;
}

/**
 * Changes an event. While it is switched off, what it has caused waits.
 * @throws 404; 409 `invalid_topology`; 422
 */
export async function changeEvent(
  trx: Transaction,
  id: string,
  changes: Changes<EventFields>,
): Promise<EventRow> {
  const { organization_id } = await getEvent(trx, id);
  await lockGraph(trx, organization_id);
  const { action: before, ...event } = await getEvent(trx, id);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const place = await requireCampaign(trx, event.campaign_id);
  const isOnlySwitchedOff = Object.keys(given).every((field) => field === 'is_active') && !changes.is_active;
  // What an event began with may be gone: it can be switched off all the same.
  const fields = isOnlySwitchedOff ? given : await checkEvent(trx, place, { ...event, ...given });
  await updateEvent(trx, id, fields);
  const changed = await getEvent(trx, id);
  const listeners = await listDelays(trx, id);
  if (changed.action !== before) {
    await checkListenerTypes(trx, id, changed.touchpoint_event_action_id);
    await denyLoops(trx);
    await changeActionOf(
      trx,
      listeners.map((listener) => listener.id),
      changed.action,
    );
  }
  if (changed.is_active !== event.is_active) {
    await rescheduleReactions(trx, listeners, changed.is_active);
    await notifyWorkers(trx);
  }
  return changed;
}

/** Deletes an event; what waits is cancelled. @throws 404 */
export async function removeEvent(trx: Transaction, id: string): Promise<EventRow> {
  const event = await getEvent(trx, id);
  await lockGraph(trx, event.organization_id);
  const listeners = await listDelays(trx, id);
  // First, so that nothing is caused any more.
  await deleteEvent(trx, id);
  await cancelReactionsOf(
    trx,
    listeners.map((listener) => listener.id),
    'listener_deleted',
  );
  return event;
}

/** @returns the id of the listener @throws 404; 409 `too_many_records`, `invalid_topology`; 422 */
export async function createListener(
  trx: Transaction,
  eventId: string,
  fields: ListenerFields,
): Promise<string> {
  const { organization_id } = await getEvent(trx, eventId);
  await lockGraph(trx, organization_id);
  const event = await getEvent(trx, eventId);
  const { length } = await listDelays(trx, eventId);
  if (length >= maxListeners) throw tooManyRecords(maxListeners);
  await checkListener(trx, event, fields);
  const id = newId();
  await insertListener(trx, { ...fields, id, organization_id, touchpoint_event_id: eventId });
  await denyLoops(trx);
  return id;
}

/** Changes how a touchpoint reacts. What waits gets the new delay. @throws 404; 409 `invalid_topology`; 422 */
export async function changeListener(
  trx: Transaction,
  eventId: string,
  listenerId: string,
  changes: Changes<Omit<ListenerFields, 'listener_touchpoint_id'>>,
): Promise<ListenerRow> {
  await lockGraph(trx, (await getEvent(trx, eventId)).organization_id);
  const event = await getEvent(trx, eventId);
  const listener = await requireListener(trx, eventId, listenerId);
  if (changes.unless) await checkUnless(trx, event, changes.unless);
  await updateListener(trx, listenerId, changes);
  if (changes.once_per_contact === false) await denyLoops(trx);
  const { delay } = changes;
  if (delay !== undefined && delay !== listener.delay && event.is_active) {
    await rescheduleReactions(trx, [{ id: listenerId, delay }], true);
    await notifyWorkers(trx);
  }
  return listener;
}

/** Lets a touchpoint no longer react; what waits is cancelled. @throws 404 */
export async function removeListener(
  trx: Transaction,
  eventId: string,
  listenerId: string,
): Promise<ListenerRow> {
  await lockGraph(trx, (await getEvent(trx, eventId)).organization_id);
  const listener = await requireListener(trx, eventId, listenerId);
  await deleteListener(trx, listenerId);
  await cancelReactionsOf(trx, [listenerId], 'listener_deleted');
  return listener;
}

/** What a change would do to those who wait. @throws 404; 422 */
export async function foreseeEffect(
  trx: Transaction,
  {
    id,
    listener_id,
    change,
    delay,
  }: {
    id: string;
    listener_id?: string | undefined;
    change: 'delay' | 'delete' | 'switch_off' | 'switch_on';
    delay?: string | undefined;
  },
): Promise<{ waiting: number; cancelled: number; due_now: number; goes_out: boolean }> {
  const { is_active } = await getEvent(trx, id);
  const shown = (await listListeners(trx, [id])).filter((row) => row.id === (listener_id ?? row.id));
  if (listener_id !== undefined) orNotFound(shown[0]);
  if (change === 'delay' && (listener_id === undefined || delay === undefined))
    throw invalidInput(
      delay === undefined ? 'delay' : 'listener_id',
      'This is needed for a change of the delay.',
    );
  const concerned = listener_id === undefined ? await listDelays(trx, id) : shown;
  const { waiting, due } = await countWaiting(
    trx,
    concerned.map((row) => ({ id: row.id, delay: change === 'delay' ? (delay ?? row.delay) : row.delay })),
  );
  const makesDue = change === 'switch_on' || (change === 'delay' && is_active);
  return {
    waiting,
    cancelled: change === 'delete' ? waiting : 0,
    due_now: makesDue ? due : 0,
    goes_out: shown.some(
      ({ action, listener_status }) => action !== 'send_email' || listener_status === 'active',
    ),
  };
}

const requireListener = async (trx: Transaction, eventId: string, listenerId: string): Promise<ListenerRow> =>
  orNotFound((await listListeners(trx, [eventId])).find(({ id }) => id === listenerId));

/** @throws 409 `invalid_topology` with a loop of emails in which none reacts only once per contact */
async function denyLoops(trx: Transaction): Promise<void> {
  const loop = findLoop(await listRepeatingEdges(trx));
  if (loop === undefined) return;
  const names = new Map((await findTouchpoints(trx, loop)).map(({ id, name }) => [id, name]));
  throw apiError('invalid_topology', {
    loop: loop.map((id) => ({ touchpoint_id: id, name: names.get(id) ?? '' })),
  });
}

async function requireAction(trx: Transaction, id: string): Promise<TouchpointEventAction> {
  const action = (await listActions(trx)).find((row) => row.id === id);
  if (action === undefined) throw invalidInput('touchpoint_event_action_id', 'There is no such action.');
  return action;
}

/** @throws 422 on `path` for a touchpoint that is not of the brand */
async function requireOfBrand(trx: Transaction, path: string, id: string, brandId: string) {
  const [touchpoint] = await findTouchpoints(trx, [id]);
  if (touchpoint?.brand_id !== brandId) throw invalidInput(path, 'The brand has no such touchpoint.');
  return touchpoint as typeof touchpoint & { type: TouchpointType };
}

const emits = (type: TouchpointType, event: CauseType): boolean =>
  (touchpointEventTypes[type] as readonly CauseType[]).includes(event);

const isOfPerson = (type: CauseType): boolean => (personEventTypes as readonly CauseType[]).includes(type);

/** @returns the fields as they are stored. @throws 422 for those that do not fit together */
async function checkEvent(trx: Transaction, place: Place & { id: string }, given: EventFields) {
  const { campaign_id, event_type, event, is_active, notifier_touchpoint_id, form_id, collection, value } =
    given;
  const { touchpoint_event_action_id, is_yearly } = given;
  const action = await requireAction(trx, touchpoint_event_action_id);
  const isPerson = isOfPerson(event_type);
  const needsCollection = isPerson && event_type !== 'SIGN_UP';
  const isDate = event_type === 'REACH_DATE';
  const unwanted = Object.entries({
    notifier_touchpoint_id: isPerson && notifier_touchpoint_id,
    form_id: event_type !== 'SIGN_UP' && form_id,
    collection: !needsCollection && collection,
    event: !(event_type in eventMeanings) && event,
    value: event_type !== 'CHANGE_FIELD' && value,
    days: !isDate && given.days !== null,
    is_yearly: !isDate && is_yearly,
  }).find(([, is]) => is);
  if (unwanted !== undefined) throw invalidInput(unwanted[0], 'Events of this type have no such detail.');
  const notifier = isPerson
    ? null
    : await requireNotifier(trx, place.brand_id, event_type, notifier_touchpoint_id);
  if (action.notifier_touchpoint_type !== notifier)
    throw invalidInput('touchpoint_event_action_id', 'This cannot be done because of such an event.');
  if (event_type === 'SIGN_UP' && (form_id === null || !(await findFormOf(trx, place.brand_id, form_id))))
    throw invalidInput(
      'form_id',
      form_id === null ? 'Choose a sign-up form.' : 'The brand has no such form.',
    );
  if (needsCollection) await requireContacts(trx, place, { event_type, event, collection });
  return {
    campaign_id,
    event_type,
    event,
    is_active,
    notifier_touchpoint_id,
    touchpoint_event_action_id,
    form_id,
    collection,
    value,
    days: isDate ? (given.days ?? 0) : null,
    is_yearly,
  };
}

/** @returns its type. @throws 422 */
async function requireNotifier(
  trx: Transaction,
  brandId: string,
  eventType: CauseType,
  id: string | null,
): Promise<TouchpointType> {
  const path = 'notifier_touchpoint_id';
  if (id === null) throw invalidInput(path, 'Choose the touchpoint whose event this is.');
  const { type } = await requireOfBrand(trx, path, id, brandId);
  if (!emits(type, eventType)) throw invalidInput(path, 'This touchpoint has no events of this type.');
  return type;
}

const dateTypes = ['date', 'timestamp'];

/** @throws 422 for a collection that the brand cannot use, or that has no such field */
async function requireContacts(
  trx: Transaction,
  { organization_id, ...user }: Place,
  { event_type, event, collection }: Pick<EventFields, 'event_type' | 'event' | 'collection'>,
): Promise<void> {
  if (collection === null) throw invalidInput('collection', 'Choose a collection of contacts.');
  await requireUsable(trx, organization_id, collection, user);
  const contacts = await findContactCollection(trx, organization_id, collection);
  if (contacts === undefined) throw invalidInput('collection', 'There is no such collection.');
  if (contacts.endpoint !== null && event_type !== 'REACH_DATE')
    throw invalidInput('collection', 'Contacts in a Directus do not say when they change.');
  if (event_type === 'ADD_CONTACT') return;
  if (event === null) throw invalidInput('event', 'Choose a field of the contacts.');
  const field = contacts.fields.find(({ name }) => name === event);
  if (field === undefined) throw invalidInput('event', 'The collection has no such field.');
  if (event_type === 'REACH_DATE' && !dateTypes.includes(field.type))
    throw invalidInput('event', 'Choose a field with a date.');
}

/** @throws 422 for an action that the touchpoints which react cannot do */
async function checkListenerTypes(trx: Transaction, eventId: string, actionId: string): Promise<void> {
  const { listener_touchpoint_type } = await requireAction(trx, actionId);
  const listeners = await listListeners(trx, [eventId]);
  if (listeners.some(({ listener_type }) => listener_type !== listener_touchpoint_type))
    throw invalidInput('touchpoint_event_action_id', 'The touchpoints that react cannot do this.');
}

/** @throws 422 */
async function checkListener(trx: Transaction, event: EventRow, fields: ListenerFields): Promise<void> {
  const path = 'listener_touchpoint_id';
  const { brand_id } = await requireCampaign(trx, event.campaign_id);
  const { type, status } = await requireOfBrand(trx, path, fields.listener_touchpoint_id, brand_id);
  const { listener_touchpoint_type } = await requireAction(trx, event.touchpoint_event_action_id);
  if (type !== listener_touchpoint_type) throw invalidInput(path, 'This touchpoint cannot do this.');
  if (status === 'archived') throw invalidInput(path, 'This touchpoint is archived.');
  if (fields.unless !== null) await checkUnless(trx, event, fields.unless);
}

/** @throws 422 */
async function checkUnless(trx: Transaction, event: EventRow, unless: Unless): Promise<void> {
  const { brand_id } = await requireCampaign(trx, event.campaign_id);
  const path = 'unless.touchpoint_id';
  const id = unless.touchpoint_id ?? event.notifier_touchpoint_id;
  if (id === null) throw invalidInput(path, 'Choose the touchpoint whose event this is.');
  const { type } = await requireOfBrand(trx, path, id, brand_id);
  if (unless.touchpoint_id === null && type !== 'email')
    throw invalidInput(path, 'Choose a touchpoint: no message of an email caused this.');
  if (!emits(type, unless.event_type))
    throw invalidInput('unless.event_type', 'The touchpoint has no events of this type.');
  if (unless.event !== null && !(unless.event_type in eventMeanings))
    throw invalidInput('unless.event', 'Events of this type have no such detail.');
}

/** @returns the action by which touchpoints of a type, or null for a person, cause something */
export const findAction = async (
  trx: Transaction,
  name: ReactionAction,
  notifierType: TouchpointType | null,
): Promise<TouchpointEventAction | undefined> =>
  (await listActions(trx)).find(
    (action) => action.name === name && action.notifier_touchpoint_type === notifierType,
  );
