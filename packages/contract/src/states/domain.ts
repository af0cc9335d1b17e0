import type { Transitions } from './transitions.ts';

export const domainStatuses = ['pending', 'verified', 'failing'] as const;
export type DomainStatus = (typeof domainStatuses)[number];

/** A verified domain never becomes pending again: when verification fails later, it is `failing`. */
export const domainTransitions: Transitions<DomainStatus> = {
  pending: ['verified'],
  verified: ['failing'],
  failing: ['verified'],
};
