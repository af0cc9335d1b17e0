import type {
  TouchpointEvent,
  TouchpointEventAction,
  touchpointEvents,
  Unless,
} from '@reachout/contract/event-graph.ts';
import type { InputOf } from '@reachout/contract/operation.ts';
import {
  eventMeanings,
  maxListeners,
  maxTouchpointEvents,
  personEventTypes,
  touchpointEventTypes,
  type CauseType,
  type ReactionAction,
} from '@reachout/contract/rules/event-graph.ts';
import { findLoop } from '@reachout/contract/rules/find-loop.ts';
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

type EventFields = InputOf<typeof touchpointEvents.create>;
type ListenerFields = Omit<InputOf<typeof touchpointEvents.createListener>, 'id'>;

/** @returns events with their listeners, and what is known of their reactions */
export async function describeEvents(
  trx: Transaction,
  rows: readonly EventRow[],
): Promise<TouchpointEvent[]> {
  const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id);
  const listeners = await listListeners(trx, idsOf(rows));
  const counted = await countReactions(trx, idsOf(listeners));
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

/** Of an event that is not active, and has no detail. */
export const noDetails = {
  event: null,
  is_active: false,
  notifier_touchpoint_id: null,
  form_id: null,
  collection: null,
  value: null,
  days: null,
  is_yearly: false,
} as const;

/** Locks the graph of its organization until the transaction ends. @throws 404 */
async function lockEvent(trx: Transaction, id: string): Promise<EventRow> {
  await lockGraph(trx, (await getEvent(trx, id)).organization_id);
  return await getEvent(trx, id);
}

/** @returns the id of the event @throws 409 `too_many_records`, `campaign_archived`; 422 */
export async function createEvent(trx: Transaction, fields: EventFields): Promise<string> {
  const { organization_id, ...campaign } = await requireCampaign(trx, fields.campaign_id).catch(
    (error: unknown) => {
      throw isNotFound(error) ? invalidInput('campaign_id', 'There is no such campaign.') : error;
    },
  );
  await assertTakesTouchpoints(trx, fields.campaign_id);
  await lockGraph(trx, organization_id);
  if ((await countEvents(trx)) >= maxTouchpointEvents) throw tooManyRecords(maxTouchpointEvents);
  const days = await checkEvent(trx, { organization_id, ...campaign }, fields);
  const id = newId();
  await insertEvent(trx, { ...fields, days, id, organization_id });
  return id;
}

/**
 * Changes an event. While it is switched off, what it has caused waits.
 * @throws 404; 409 `invalid_topology`; 422
 */
export async function changeEvent(
  trx: Transaction,
  { id, ...changes }: InputOf<typeof touchpointEvents.update>,
): Promise<EventRow> {
  const event = await lockEvent(trx, id);
  const { organization_id, brand, client } = event;
  const place = { organization_id, brand_id: brand.id, client_id: client.id };
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const fields = { ...event, ...Object.fromEntries(given) };
  // What an event began with may be gone: it can be switched off all the same.
  const isOnlySwitchedOff = given.every(([field, value]) => field === 'is_active' && value === false);
  const days = isOnlySwitchedOff ? event.days : await checkEvent(trx, place, fields);
  await updateEvent(trx, id, { ...changes, days });
  const changed = await getEvent(trx, id);
  const listeners = await listDelays(trx, id);
  if (changed.action !== event.action) {
    await checkListenerTypes(trx, id, changed.touchpoint_event_action_id);
    await denyLoops(trx);
    await changeActionOf(trx, listeners, changed.action);
  }
  if (changed.is_active !== event.is_active) {
    await rescheduleReactions(trx, listeners, changed.is_active);
    await notifyWorkers(trx);
  }
  return changed;
}

/** Deletes an event; what waits is cancelled. @throws 404 */
export async function removeEvent(trx: Transaction, id: string): Promise<EventRow> {
  const event = await lockEvent(trx, id);
  const listeners = await listDelays(trx, id);
  // First, so that nothing is caused any more.
  await deleteEvent(trx, id);
  await cancelReactionsOf(trx, listeners, 'listener_deleted');
  return event;
}

/** @returns the id of the listener @throws 404; 409 `too_many_records`, `invalid_topology`; 422 */
export async function createListener(
  trx: Transaction,
  eventId: string,
  fields: ListenerFields,
): Promise<string> {
  const event = await lockEvent(trx, eventId);
  const { length } = await listDelays(trx, eventId);
  if (length >= maxListeners) throw tooManyRecords(maxListeners);
  await checkListener(trx, event, fields);
  const id = newId();
  const { organization_id } = event;
  await insertListener(trx, { ...fields, id, organization_id, touchpoint_event_id: eventId });
  await denyLoops(trx);
  return id;
}

/** Changes how a touchpoint reacts. What waits gets the new delay. @throws 404; 409 `invalid_topology`; 422 */
export async function changeListener(
  trx: Transaction,
  { id: eventId, listener_id: id, ...changes }: InputOf<typeof touchpointEvents.updateListener>,
): Promise<ListenerRow> {
  const event = await lockEvent(trx, eventId);
  const listener = await requireListener(trx, eventId, id);
  if (changes.unless) await checkUnless(trx, event, changes.unless);
  await updateListener(trx, id, changes);
  if (changes.once_per_contact === false) await denyLoops(trx);
  const { delay } = changes;
  if (delay !== undefined && delay !== listener.delay && event.is_active) {
    await rescheduleReactions(trx, [{ id, delay }], true);
    await notifyWorkers(trx);
  }
  return listener;
}

/** Lets a touchpoint no longer react; what waits is cancelled. @throws 404 */
export async function removeListener(
  trx: Transaction,
  { id: eventId, listener_id }: InputOf<typeof touchpointEvents.deleteListener>,
): Promise<ListenerRow> {
  await lockEvent(trx, eventId);
  const listener = await requireListener(trx, eventId, listener_id);
  await deleteListener(trx, listener_id);
  await cancelReactionsOf(trx, [listener], 'listener_deleted');
  return listener;
}

/** What a change would do to those who wait. @throws 404; 422 */
export async function foreseeEffect(
  trx: Transaction,
  { id, listener_id, change, delay }: InputOf<typeof touchpointEvents.effect>,
) {
  const { is_active } = await getEvent(trx, id);
  const shown = (await listListeners(trx, [id])).filter((row) => row.id === (listener_id ?? row.id));
  if (listener_id !== undefined) orNotFound(shown[0]);
  const missing = Object.entries({ listener_id, delay }).find(([, value]) => value === undefined);
  if (change === 'delay' && missing)
    throw invalidInput(missing[0], 'This is needed for a change of the delay.');
  const concerned = listener_id === undefined ? await listDelays(trx, id) : shown;
  const { waiting, due } = await countWaiting(
    trx,
    concerned.map((row) => ({ id: row.id, delay: change === 'delay' ? (delay ?? row.delay) : row.delay })),
  );
  return {
    waiting,
    cancelled: change === 'delete' ? waiting : 0,
    due_now: change === 'switch_on' || (change === 'delay' && is_active) ? due : 0,
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

/** Whose graph it is. */
type Place = Pick<Awaited<ReturnType<typeof requireCampaign>>, 'organization_id' | 'brand_id' | 'client_id'>;

/** @returns the days, as they are stored. @throws 422 for fields that do not fit together */
async function checkEvent(trx: Transaction, place: Place, given: EventFields): Promise<number | null> {
  const { event_type: type, form_id, notifier_touchpoint_id } = given;
  const action = await requireAction(trx, given.touchpoint_event_action_id);
  const isPerson = isOfPerson(type);
  const needsCollection = isPerson && type !== 'SIGN_UP';
  const isDate = type === 'REACH_DATE';
  const unwanted = Object.entries({
    notifier_touchpoint_id: isPerson && notifier_touchpoint_id,
    form_id: type !== 'SIGN_UP' && form_id,
    collection: !needsCollection && given.collection,
    event: !(type in eventMeanings) && given.event,
    value: type !== 'CHANGE_FIELD' && given.value,
    days: !isDate && given.days !== null,
    is_yearly: !isDate && given.is_yearly,
  }).find(([, is]) => is);
  if (unwanted) throw invalidInput(unwanted[0], 'Events of this type have no such detail.');
  const notifier = isPerson ? null : await requireNotifier(trx, place.brand_id, type, notifier_touchpoint_id);
  if (action.notifier_touchpoint_type !== notifier)
    throw invalidInput('touchpoint_event_action_id', 'This cannot be done because of such an event.');
  if (type === 'SIGN_UP' && form_id === null) throw invalidInput('form_id', 'Choose a sign-up form.');
  if (form_id !== null && !(await findFormOf(trx, place.brand_id, form_id)))
    throw invalidInput('form_id', 'The brand has no such form.');
  if (needsCollection) await requireContacts(trx, place, given);
  return isDate ? (given.days ?? 0) : null;
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
  const { type, status } = await requireOfBrand(trx, path, fields.listener_touchpoint_id, event.brand.id);
  const { listener_touchpoint_type } = await requireAction(trx, event.touchpoint_event_action_id);
  if (type !== listener_touchpoint_type) throw invalidInput(path, 'This touchpoint cannot do this.');
  if (status === 'archived') throw invalidInput(path, 'This touchpoint is archived.');
  if (fields.unless !== null) await checkUnless(trx, event, fields.unless);
}

/** @throws 422 */
async function checkUnless(trx: Transaction, event: EventRow, unless: Unless): Promise<void> {
  const path = 'unless.touchpoint_id';
  const id = unless.touchpoint_id ?? event.notifier_touchpoint_id;
  if (id === null) throw invalidInput(path, 'Choose the touchpoint whose event this is.');
  const { type } = await requireOfBrand(trx, path, id, event.brand.id);
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
