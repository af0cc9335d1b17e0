import type { VisitorEventType } from '@reachout/contract/states/website.ts';
import { newId } from '../platform/ids.ts';

/** What events of all subjects have. */
interface AnyEvent {
  id: string;
  organizationId: string;
  at: Date;
}

interface TouchpointEvent extends AnyEvent {
  touchpointId: string;
}

/** What happened to a message. */
export interface MessageEvent extends TouchpointEvent {
  subject: 'message';
  sendId: string;
  seq: number;
  type: 'OPEN_EMAIL' | 'CLICK' | 'VISIT' | 'BOUNCE' | 'COMPLAINT' | 'UNSUBSCRIBE';
  /** The link's number in the email snapshot; null except for clicks. */
  linkNo: number | null;
  /** Whether it was caused by a mail program's proxy or a scanner, not a person. */
  isBot: boolean;
  /** Instead of `isBot`: a person's if no person has opened the message before, else a bot's. */
  isFirstOnly?: boolean;
  userAgent: string | null;
  ipPrefix: string | null;
  /** Of a click, ISO 3166-1 alpha-2. */
  country?: string | null;
}

/** An event that came by no link or picture of its message. */
export const aboutMessage = (
  type: MessageEvent['type'],
  {
    organizationId,
    touchpointId,
    sendId,
    seq,
  }: Pick<MessageEvent, 'organizationId' | 'touchpointId' | 'sendId' | 'seq'>,
  at: Date,
): MessageEvent => ({
  id: newId(),
  subject: 'message',
  type,
  organizationId,
  touchpointId,
  sendId,
  seq,
  at,
  linkNo: null,
  isBot: false,
  userAgent: null,
  ipPrefix: null,
});

/** What a visitor did on a tracked website. */
export interface VisitorEvent extends TouchpointEvent {
  subject: 'visitor';
  type: VisitorEventType;
  /** The time of the client, where the time of the server replaced it. */
  clientAt: Date | null;
  visitorId: string;
  /** Of a TRACK event. */
  name: string | null;
  url: string;
  path: string;
  title: string | null;
  referrer: string | null;
  /** Null for none, and for the site itself. */
  referrerHost: string | null;
  language: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** In CSS pixels. */
  width: number | null;
  height: number | null;
  /** What the page says about its visitor: a hint, never a proof. */
  userId: string | null;
  collection: string | null;
  isBot: boolean;
  /** The message whose link led here, by a token that was verified; not stored with the event. */
  message: { sendId: string; seq: number } | null;
  /** The goal that a TRACK event is; not stored with the event. */
  conversion: EventConversion | null;
}

export interface EventConversion {
  goalId: string;
  /** A link that was followed longer ago does not count. */
  windowDays: number;
  /** In the currency of the organization. */
  value: number | null;
  /** In place of the id of the event: those with the same one are one conversion, the first in time. */
  id?: string;
}

/** An event, as it is stored. Each subject has its own tables: docs/decisions/0102-events-have-a-subject.md */
export type StoredEvent = MessageEvent | VisitorEvent;

/** A message has at most one of each: a repeat, also one after a lost connection, changes nothing. */
const onceTypes: readonly MessageEvent['type'][] = ['BOUNCE', 'COMPLAINT', 'UNSUBSCRIBE'];

export const happensOnce = ({ type }: MessageEvent): boolean => onceTypes.includes(type);

/** SQL condition that events must meet when they are stored. They are rows of `e`; $1 is the organization. */
export interface EventCondition {
  /** Part of the name of the prepared statement. */
  name: string;
  text: string;
  /** SQL for the time of an event, if another row has it. Default: `e.at`. */
  at?: string;
}
