import { isPossible, type Transitions } from './transitions.ts';

export const touchpointTypes = ['email', 'website'] as const;
export type TouchpointType = (typeof touchpointTypes)[number];

export const touchpointStatuses = [
  'draft',
  'scheduled',
  'sending',
  'sent',
  'active',
  'paused',
  'archived',
] as const;
export type TouchpointStatus = (typeof touchpointStatuses)[number];

/** Transitions of touchpoints that are switched on and off and never complete. */
const activeTransitions: Transitions<TouchpointStatus> = {
  draft: ['active', 'archived'],
  scheduled: [],
  sending: [],
  sent: [],
  active: ['paused', 'archived'],
  paused: ['active', 'archived'],
  archived: ['draft'],
};

/**
 * An email is sent once, now or on a date. Or it is active: while its send takes single messages, after which it is a draft
 * again, or while it is sent in a series (repeatedly, or one content item after the other), after which it is sent. It is
 * paused with its sends, also before they start. If a send is cancelled or fails before it was sending, its email becomes a
 * draft again. An archived email is reopened as a draft, or as sent if it was sent. It cannot be archived while its send is
 * open.
 */
export const touchpointTransitions: Readonly<Record<TouchpointType, Transitions<TouchpointStatus>>> = {
  email: {
    draft: ['scheduled', 'active', 'archived'],
    scheduled: ['sending', 'paused', 'draft'],
    sending: ['paused', 'sent', 'draft'],
    sent: ['archived'],
    active: ['paused', 'sent', 'draft'],
    paused: ['scheduled', 'sending', 'sent', 'active', 'draft'],
    archived: ['draft', 'sent'],
  },
  website: activeTransitions,
};

/** Whether touchpoints of this type are sent to recipients, and complete. */
export const isSent = (type: TouchpointType): boolean => touchpointTransitions[type].sending.length > 0;

interface Touchpoint {
  type: TouchpointType;
  status: TouchpointStatus;
}

interface PlannedTouchpoint extends Touchpoint {
  /** Whether a scheduled send of it has not started, so that its content can be confirmed again. */
  is_planned: boolean;
}

const canBecome = ({ type, status }: Touchpoint, to: TouchpointStatus): boolean =>
  isPossible(touchpointTransitions[type], status, to);

export const touchpointCan = {
  /** A touchpoint that a user has confirmed for sending, or that was sent, cannot be changed. */
  edit: ({ type, status }: Touchpoint) => !isSent(type) || status === 'draft' || status === 'archived',
  /** While it waits for its time, its content can be changed too: that is sent once it is confirmed again. */
  write: ({ is_planned, ...touchpoint }: PlannedTouchpoint) => is_planned || touchpointCan.edit(touchpoint),
  send: (touchpoint: Touchpoint) => touchpoint.status === 'draft' && canBecome(touchpoint, 'scheduled'),
  /** From then on the touchpoint takes single messages. */
  activate: (touchpoint: Touchpoint) =>
    isSent(touchpoint.type) && touchpoint.status === 'draft' && canBecome(touchpoint, 'active'),
  /** From then on events of the website are stored. */
  start: (touchpoint: Touchpoint) => !isSent(touchpoint.type) && canBecome(touchpoint, 'active'),
  pause: (touchpoint: Touchpoint) => !isSent(touchpoint.type) && canBecome(touchpoint, 'paused'),
  archive: (touchpoint: Touchpoint) => canBecome(touchpoint, 'archived'),
  reopen: ({ status }: Touchpoint) => status === 'archived',
} as const;
