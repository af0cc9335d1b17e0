import type { Transitions } from './transitions.ts';

export const itemStatuses = ['scheduled', 'sending', 'sent', 'failed', 'cancelled'] as const;
export type ItemStatus = (typeof itemStatuses)[number];

/** States of a content item that is sent on a schedule. */
export const itemTransitions: Transitions<ItemStatus> = {
  scheduled: ['sending', 'cancelled'],
  sending: ['sent', 'failed', 'cancelled'],
  sent: [],
  failed: [],
  cancelled: [],
};
