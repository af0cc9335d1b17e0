import type { Transitions } from './transitions.ts';

export const domainStatuses = ['pending', 'verified', 'failing'] as const;
export type DomainStatus = (typeof domainStatuses)[number];

/** A domain that was verified once is never pending again: what stops working makes it failing. */
export const domainTransitions: Transitions<DomainStatus> = {
  pending: ['verified'],
  verified: ['failing'],
  failing: ['verified'],
};
