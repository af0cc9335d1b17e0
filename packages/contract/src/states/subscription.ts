import type { Transitions } from './transitions.ts';

export const subscriptionStatuses = [
  'trialing',
  'active',
  'past_due',
  'paused',
  'cancelled',
  'expired',
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** A cancelled subscription stays valid to the end of the paid period, and can be resumed until it expires. */
export const subscriptionTransitions: Transitions<SubscriptionStatus> = {
  trialing: ['active', 'past_due', 'cancelled', 'expired'],
  active: ['past_due', 'paused', 'cancelled', 'expired'],
  past_due: ['active', 'cancelled', 'expired'],
  paused: ['active', 'cancelled', 'expired'],
  cancelled: ['active', 'expired'],
  expired: [],
};
