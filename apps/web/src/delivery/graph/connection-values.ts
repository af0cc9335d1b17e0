import type {
  TouchpointEvent,
  TouchpointEventAction,
  TouchpointEventListener,
  Unless,
} from '@reachout/contract/event-graph.ts';
import type { Connection } from '@reachout/contract/rules/connections.ts';
import {
  eventMeanings,
  personEventTypes,
  touchpointEventTypes,
  type CauseType,
  type ReactionAction,
} from '@reachout/contract/rules/event-graph.ts';
import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';

/** Whose event a connection begins with: `touchpoint:ID`, `form:ID` or `contacts:COLLECTION`. */
export type Source = `${'touchpoint' | 'form' | 'contacts'}:${string}`;

/** A connection as its form has it: with a source, and what depends on it in fields side by side. */
export type ConnectionValues = Pick<
  TouchpointEvent,
  'event_type' | 'event' | 'value' | 'days' | 'is_yearly'
> &
  Pick<TouchpointEventListener, 'listener_touchpoint_id' | 'delay' | 'once_per_contact' | 'quiet_hours'> & {
    source: string;
    /** Of contacts, in place of `event`. */
    field: string;
    side: string;
    action: ReactionAction;
    unless_type: string;
    /** A touchpoint, or `sameMessage`. */
    unless_of: string;
    unless_event: string | null;
    is_active: boolean;
  };

/** Stands for the message of the cause. */
export const sameMessage = 'message';

export const kindOf = (source: string) => source.split(':')[0] as 'touchpoint' | 'form' | 'contacts' | '';
export const idOf = (source: string): string => source.slice(source.indexOf(':') + 1);

/** The events with which something can begin. @param type  of the touchpoint, if it is one */
export const eventsOf = (source: string, type: TouchpointType | undefined): readonly CauseType[] => {
  const [signUp, ...ofContacts] = personEventTypes;
  switch (kindOf(source)) {
    case 'form':
      return [signUp];
    case 'contacts':
      return ofContacts;
    default:
      return type === undefined ? [] : touchpointEventTypes[type];
  }
};

/** The one that is meant most often. */
export const firstEventOf = (source: string, type: TouchpointType | undefined): CauseType | undefined =>
  type === 'email' ? 'CLICK' : type === 'website' ? 'VIEW_PAGE' : eventsOf(source, type)[0];

/** What the detail of an event is: a link, the path of a page, a name or a field; undefined for none. */
export const meaningOf = (type: string) =>
  (eventMeanings as Partial<Record<string, 'link' | 'path' | 'name' | 'field'>>)[type];

export const sourceOf = (event: TouchpointEvent): Source =>
  event.notifier_touchpoint_id !== null
    ? `touchpoint:${event.notifier_touchpoint_id}`
    : event.form_id !== null
      ? `form:${event.form_id}`
      : `contacts:${event.collection ?? ''}`;

/** @param type  of the touchpoint that notifies; undefined for a person */
export const findAction = (
  actions: readonly TouchpointEventAction[],
  name: string,
  type: TouchpointType | undefined,
) => actions.find((one) => one.name === name && one.notifier_touchpoint_type === (type ?? null));

export const toRecord = ({ event, listener }: Connection) => ({
  ...event,
  ...listener,
  source: sourceOf(event),
  field: event.event,
  days: Math.abs(event.days ?? 0),
  side: (event.days ?? 0) < 0 ? 'before' : 'after',
  unless_type: listener?.unless?.event_type,
  unless_of: listener?.unless?.touchpoint_id ?? sameMessage,
  unless_event: listener?.unless?.event,
});

/** The event, as it is stored. */
export function toEvent(
  { source, event_type, field, event, value, days, side, is_yearly, action }: ConnectionValues,
  actions: readonly TouchpointEventAction[],
  type: TouchpointType | undefined,
) {
  const [kind, id, meaning] = [kindOf(source), idOf(source), meaningOf(event_type)];
  const isDate = event_type === 'REACH_DATE';
  return {
    notifier_touchpoint_id: kind === 'touchpoint' ? id : null,
    form_id: kind === 'form' ? id : null,
    collection: kind === 'contacts' ? id : null,
    event_type,
    event: meaning === 'field' ? field : meaning === undefined ? null : event,
    value: event_type === 'CHANGE_FIELD' ? value : null,
    days: isDate ? (days ?? 0) * (side === 'before' ? -1 : 1) || 0 : null,
    is_yearly: isDate && is_yearly,
    touchpoint_event_action_id: findAction(actions, action, type)?.id ?? '',
  };
}

/** How a touchpoint reacts, as it is stored. */
export function toListener(values: ConnectionValues) {
  const { delay, unless_type: type, unless_of: of, unless_event: event } = values;
  const unless: Unless | null =
    type === ''
      ? null
      : {
          event_type: type as CauseType,
          event: meaningOf(type) === undefined ? null : event,
          touchpoint_id: of === sameMessage ? null : of,
        };
  return { delay, unless, once_per_contact: values.once_per_contact, quiet_hours: values.quiet_hours };
}

/** Whether a record has other values than these. */
export const differs = (record: object, values: object): boolean =>
  Object.entries(values).some(([name, value]: [string, unknown]) => {
    const stored = (record as Record<string, unknown>)[name];
    return typeof value === 'object' && value !== null && typeof stored === 'object' && stored !== null
      ? differs(stored, value)
      : stored !== value;
  });
