import type { TouchpointEvent, TouchpointEventAction, Unless } from '@reachout/contract/event-graph.ts';
import type { Connection } from '@reachout/contract/rules/connections.ts';
import {
  eventMeanings,
  personEventTypes,
  touchpointEventTypes,
  type CauseType,
  type ReactionAction,
} from '@reachout/contract/rules/event-graph.ts';
import type { TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import { readDelay, writeDelay } from './delay.ts';

/** Whose event a connection begins with: `touchpoint:ID`, `form:ID` or `contacts:COLLECTION`. */
export type Source = `${'touchpoint' | 'form' | 'contacts'}:${string}`;

/** A connection as its form has it: no choice is ''. */
export type ConnectionValues = {
  source: Source | '';
  event_type: CauseType | '';
  action: ReactionAction;
  listener_touchpoint_id: string;
  event: string;
  value: string;
  days: number | string;
  side: 'before' | 'after';
  is_yearly: boolean;
  delay: number | string;
  unit: string;
  unless_type: CauseType | '';
  /** '' for the message of the cause. */
  unless_of: string;
  unless_event: string;
  once_per_contact: boolean;
  quiet_hours: boolean;
  is_active: boolean;
};

const kindOf = (source: Source | '') => source.split(':')[0] as 'touchpoint' | 'form' | 'contacts' | '';
export const idOf = (source: Source | ''): string => source.slice(source.indexOf(':') + 1);

/** The events with which something can begin. @param type  of the touchpoint, if it is one */
export const eventsOf = (source: Source | '', type: TouchpointType | undefined): readonly CauseType[] => {
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
export const firstEventOf = (source: Source, type: TouchpointType | undefined): CauseType =>
  type === 'email' ? 'CLICK' : type === 'website' ? 'VIEW_PAGE' : eventsOf(source, type)[0]!;

/** What the detail of an event is: a link, the path of a page, a name or a field; undefined for none. */
export const meaningOf = (type: CauseType | '') =>
  (eventMeanings as Partial<Record<string, 'link' | 'path' | 'name' | 'field'>>)[type];

const sourceOf = (event: TouchpointEvent): Source =>
  event.notifier_touchpoint_id !== null
    ? `touchpoint:${event.notifier_touchpoint_id}`
    : event.form_id !== null
      ? `form:${event.form_id}`
      : `contacts:${event.collection ?? ''}`;

export function toValues({ event, listener }: Partial<Connection>): ConnectionValues {
  const { count, unit } = readDelay(listener?.delay ?? 'PT0S');
  const unless = listener?.unless;
  return {
    source: event ? sourceOf(event) : '',
    event_type: event?.event_type ?? '',
    action: event?.action ?? 'send_email',
    listener_touchpoint_id: listener?.listener_touchpoint_id ?? '',
    event: event?.event ?? '',
    value: event?.value ?? '',
    days: Math.abs(event?.days ?? 0),
    side: (event?.days ?? 0) < 0 ? 'before' : 'after',
    is_yearly: event?.is_yearly ?? false,
    delay: count,
    unit,
    unless_type: unless?.event_type ?? '',
    unless_of: unless?.touchpoint_id ?? '',
    unless_event: unless?.event ?? '',
    once_per_contact: listener?.once_per_contact ?? true,
    quiet_hours: listener?.quiet_hours ?? true,
    is_active: event?.is_active ?? true,
  };
}

const textOrNull = (text: string) => (text.trim() === '' ? null : text.trim());

/** The event, as it is created. Of one that is there, type and beginning stay. */
export function toEvent(
  values: ConnectionValues,
  actions: readonly TouchpointEventAction[],
  type?: TouchpointType,
) {
  const { source, event_type: eventType, action } = values;
  const isDate = eventType === 'REACH_DATE';
  const days = Number(values.days) * (values.side === 'before' ? -1 : 1);
  return {
    event_type: eventType as CauseType,
    notifier_touchpoint_id: kindOf(source) === 'touchpoint' ? idOf(source) : null,
    form_id: kindOf(source) === 'form' ? idOf(source) : null,
    collection: kindOf(source) === 'contacts' ? idOf(source) : null,
    touchpoint_event_action_id: findAction(actions, action, type)?.id ?? '',
    event: meaningOf(eventType) === undefined ? null : textOrNull(values.event),
    value: eventType === 'CHANGE_FIELD' ? textOrNull(values.value) : null,
    days: isDate ? days || 0 : null,
    is_yearly: isDate && values.is_yearly,
  };
}

/** @param type  of the touchpoint that notifies; undefined for a person */
export const findAction = (
  actions: readonly TouchpointEventAction[],
  name: string,
  type: TouchpointType | undefined,
) => actions.find((one) => one.name === name && one.notifier_touchpoint_type === (type ?? null));

export const delayOf = ({ delay, unit }: ConnectionValues): string => writeDelay(Number(delay) || 0, unit);

export function toListener(values: ConnectionValues) {
  const { unless_type: type, once_per_contact, quiet_hours } = values;
  const unless: Unless | null =
    type === ''
      ? null
      : {
          event_type: type,
          event: meaningOf(type) === undefined ? null : textOrNull(values.unless_event),
          touchpoint_id: values.unless_of || null,
        };
  return { delay: delayOf(values), unless, once_per_contact, quiet_hours };
}
