import type { Step } from '../platform/database/pipelined.ts';
import type { ListenedEvent } from './event.ts';

/**
 * Makes events of one organization into steps that run after the events are stored, in the same transaction, and are
 * rolled back with it. Whether an event counts is known only then, and a commit may be repeated: the steps look up
 * what was stored, and insert the same row once. Opens and clicks are in `unfolded_message_events` then, and in no count yet. They lock no send, because other transactions lock sends before they store events. A listener never
 * throws: the commit has events of other organizations.
 */
export type Listener = (events: readonly ListenedEvent[]) => readonly Step[];

/**
 * All listeners. They are in memory, because nothing is looked up when an event is stored; read at each commit, so that their
 * owner may change them at any time.
 */
export interface EventListeners {
  /** What the platform itself does: they get all events. */
  builtIn: readonly Listener[];
  /** By organization, then by `listenerKey`: they get the events of one touchpoint or sign-up form, and type. */
  bySource: ReadonlyMap<string, ReadonlyMap<string, readonly Listener[]>>;
}

export const noListeners: EventListeners = { builtIn: [], bySource: new Map() };

/** @param sourceId  of a touchpoint or sign-up form */
export const listenerKey = (sourceId: string, type: ListenedEvent['type']): string => `${sourceId} ${type}`;

const keyOf = (event: ListenedEvent): string =>
  listenerKey(event.subject === 'sign_up' ? event.formId : event.touchpointId, event.type);

/** @returns the steps of all listeners to these events of one organization */
export function listenerSteps(
  listeners: EventListeners,
  organizationId: string,
  events: readonly ListenedEvent[],
): Step[] {
  const builtIn = listeners.builtIn.flatMap((listener) => listener(events));
  const ofOrganization = listeners.bySource.get(organizationId);
  if (ofOrganization === undefined) return builtIn;
  const groups = Map.groupBy(events, keyOf);
  // All processes use the same order, to prevent deadlocks.
  const bySource = [...groups.keys()]
    .toSorted()
    .flatMap((key) => (ofOrganization.get(key) ?? []).flatMap((listener) => listener(groups.get(key)!)));
  return [...builtIn, ...bySource];
}
