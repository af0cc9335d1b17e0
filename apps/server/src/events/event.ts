/** Something that became of a message, as it is stored. */
export interface MessageEvent {
  id: string;
  organizationId: string;
  touchpointId: string;
  sendId: string;
  seq: number;
  type: 'OPEN_EMAIL' | 'CLICK' | 'BOUNCE' | 'UNSUBSCRIBE';
  /** The link's number in the email snapshot; null except for clicks. */
  linkNo: number | null;
  at: Date;
  /** A mail program's proxy or a scanner, not a person. */
  isBot: boolean;
  userAgent: string | null;
  ipPrefix: string | null;
}

/** A message has one of each at most: a repeat, also one after a lost connection, changes nothing. */
const onceTypes: readonly MessageEvent['type'][] = ['BOUNCE', 'UNSUBSCRIBE'];

export const happensOnce = ({ type }: MessageEvent): boolean => onceTypes.includes(type);

/** Of events, what has to hold when they are stored, in SQL: they are rows of `e`, the organization is $1. */
export interface EventCondition {
  /** Part of the name of the prepared statement. */
  name: string;
  text: string;
}
