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

/** Of what is switched on and off, and never through. */
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
 * An email is sent once, or is active while its send takes single messages, and a draft again after that. A send that is
 * cancelled or fails before it was sending makes its email a draft again. Out of the archive it comes as a draft, or as
 * sent where it was. While its send is open, an email cannot be archived.
 */
export const touchpointTransitions: Readonly<Record<TouchpointType, Transitions<TouchpointStatus>>> = {
  email: {
    draft: ['scheduled', 'active', 'archived'],
    scheduled: ['sending', 'draft'],
    sending: ['paused', 'sent', 'draft'],
    sent: ['archived'],
    active: ['paused', 'draft'],
    paused: ['sending', 'sent', 'active', 'draft'],
    archived: ['draft', 'sent'],
  },
  website: activeTransitions,
};

/** Whether touchpoints of this type go out to recipients, and end. */
export const isSent = (type: TouchpointType): boolean => touchpointTransitions[type].sending.length > 0;

interface Touchpoint {
  type: TouchpointType;
  status: TouchpointStatus;
}

const canBecome = ({ type, status }: Touchpoint, to: TouchpointStatus): boolean =>
  isPossible(touchpointTransitions[type], status, to);

export const touchpointCan = {
  /** What a person has confirmed to send, or has sent, stays as it is. */
  edit: ({ type, status }: Touchpoint) => !isSent(type) || status === 'draft' || status === 'archived',
  send: (touchpoint: Touchpoint) => canBecome(touchpoint, 'scheduled'),
  /** Takes single messages from then on. */
  activate: (touchpoint: Touchpoint) =>
    isSent(touchpoint.type) && touchpoint.status === 'draft' && canBecome(touchpoint, 'active'),
  archive: (touchpoint: Touchpoint) => canBecome(touchpoint, 'archived'),
  reopen: ({ status }: Touchpoint) => status === 'archived',
} as const;
