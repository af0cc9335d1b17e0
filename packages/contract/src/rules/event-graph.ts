import type { TouchpointType } from '../states/touchpoint.ts';
import type { eventTypes } from '../statuses.ts';
import type { VisitorEventType } from '../states/website.ts';

/** What can begin without a touchpoint: what is known of a person. */
export const personEventTypes = ['SIGN_UP', 'ADD_CONTACT', 'CHANGE_FIELD', 'REACH_DATE'] as const;
export type PersonEventType = (typeof personEventTypes)[number];

type MessageEventType = (typeof eventTypes)[number];
export type CauseType = MessageEventType | VisitorEventType | PersonEventType;

/** The events of touchpoints that others can react to, as the table `touchpoint_event_types` has them. */
export const touchpointEventTypes = {
  email: ['SEND_EMAIL', 'OPEN_EMAIL', 'CLICK', 'VISIT', 'BOUNCE', 'COMPLAINT', 'UNSUBSCRIBE'],
  website: ['IDENTIFY', 'TRACK', 'VIEW_PAGE'],
} as const satisfies Record<TouchpointType, readonly CauseType[]>;

export const causeTypes = [
  ...touchpointEventTypes.email,
  ...touchpointEventTypes.website,
  ...personEventTypes,
] as const satisfies readonly CauseType[];

/**
 * What `event` says of an event of a type: a pattern of link addresses or of page paths, in which `*` stands for any text; the name
 * of a custom event; or the name of a contact field. Other types take none.
 */
export const eventMeanings = {
  CLICK: 'link',
  VIEW_PAGE: 'path',
  TRACK: 'name',
  CHANGE_FIELD: 'field',
  REACH_DATE: 'field',
} as const satisfies Partial<Record<CauseType, string>>;

/** What a listener does, as the table `touchpoint_event_actions` has it. */
export const reactionActions = ['send_email', 'stop_email', 'start_tracking', 'stop_tracking'] as const;
export type ReactionAction = (typeof reactionActions)[number];

/**
 * A reaction waits until it is due. Then its message is `sent` to the delivery queue, or its action `done`; or it was `skipped`, with the
 * reason, or `cancelled` while it waited.
 */
export const reactionStates = ['waiting', 'sent', 'done', 'skipped', 'cancelled'] as const;
export type ReactionState = (typeof reactionStates)[number];

/** Why a reaction was skipped or cancelled. The first seven are those for which an audience excludes contacts. */
export const reactionReasons = [
  'no_address',
  'invalid_address',
  'duplicate_address',
  'unsubscribed',
  'suppressed',
  'not_subscribed',
  'paused',
  /** The contact is no longer there. */
  'no_contact',
  /** The contacts belong to another client or brand by now. */
  'foreign_contacts',
  /** What `unless` names has happened. */
  'unless',
  /** The contact got as many messages of reactions from the brand within a day as it may get. */
  'contact_limit',
  /** Its time passed long before the email was active. */
  'too_late',
  /** By a `stop_email`. */
  'stopped',
  /** The click was a program's. */
  'bot',
  'cancelled_by_member',
  'listener_deleted',
] as const;
export type ReactionReason = (typeof reactionReasons)[number];

/** Messages of reactions that a contact gets from a brand within 24 hours; more are skipped. */
export const maxReactionsOfContact = 5;
/** Reactions of an organization that can wait; more are not made. */
export const maxWaitingReactions = 1_000_000;
/** Whether a reaction is skipped that is so much overdue, because its email was not active: in days. */
export const maxOverdueDays = 3;
/** Events that are reacted to, of an organization, and listeners of an event. */
export const maxTouchpointEvents = 500;
export const maxListeners = 20;
/** Of a `delay`, in days. */
export const maxDelayDays = 366;
export const maxPatternLength = 500;

/** ISO 8601, without fractions: `P3D`, `PT1H30M`. */
export const delayPattern =
  /^P(?=.)(?:\d{1,2}Y)?(?:\d{1,3}M)?(?:\d{1,3}W)?(?:\d{1,4}D)?(?:T(?=\d)(?:\d{1,5}H)?(?:\d{1,6}M)?(?:\d{1,8}S)?)?$/;

const lengths = { Y: 366, M: 31, W: 7, D: 1, TH: 1 / 24, TM: 1 / 1_440, TS: 1 / 86_400 };

/** @returns the longest that a delay can be, in days */
export function daysOfDelay(delay: string): number {
  const [date = '', time = ''] = delay.slice(1).split('T');
  const sum = (text: string, prefix: '' | 'T') =>
    [...text.matchAll(/(\d+)([A-Z])/g)].reduce(
      (total, [, number, unit]) =>
        total + Number(number) * lengths[`${prefix}${unit}` as keyof typeof lengths],
      0,
    );
  return sum(date, '') + sum(time, 'T');
}
