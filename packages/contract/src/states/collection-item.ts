import type { Transitions } from './transitions.ts';

export const itemStatuses = ['scheduled', 'sending', 'sent', 'failed', 'cancelled'] as const;
export type ItemStatus = (typeof itemStatuses)[number];

/** An item of a content collection that is sent by schedule. */
export const itemTransitions: Transitions<ItemStatus> = {
  scheduled: ['sending', 'cancelled'],
  sending: ['sent', 'failed', 'cancelled'],
  sent: [],
  failed: [],
  cancelled: [],
};
