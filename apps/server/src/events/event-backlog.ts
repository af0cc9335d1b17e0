import { byKey, counter, gauge, type Metric } from '../platform/metrics/metric.ts';
import type { StoredEvent } from './event.ts';

export type Subject = StoredEvent['subject'];

/** A fold that is so far behind is shown to readers and operators. Usually it takes a second. */
export const behindSeconds = 120;

/** Above this number, no further events of a subject are accepted. */
export const maxUnfolded = 200_000;

/**
 * Events by subject, in this process: `unfolded` as counted after its last fold, of all organizations and at most
 * `maxUnfolded` + 1, and since how many seconds some wait; `dropped` since its start.
 */
export const eventBacklog: Record<'unfolded' | 'seconds' | 'dropped', Record<Subject, number>> = {
  unfolded: { message: 0, visitor: 0 },
  seconds: { message: 0, visitor: 0 },
  dropped: { message: 0, visitor: 0 },
};

/** Of one organization, from the moment on at which half of the places are taken: the others keep places. */
const maxShare = maxUnfolded / 4;
const shares: Record<Subject, Map<string, number>> = { message: new Map(), visitor: new Map() };

/** Counts events of an organization. @returns false if they have to wait until some are folded */
export function admitEvents(subject: Subject, organizationId: string, events: number): boolean {
  const unfolded = eventBacklog.unfolded[subject];
  if (unfolded > maxUnfolded) return false;
  const taken = shares[subject];
  if (unfolded <= maxUnfolded / 2) {
    taken.clear();
    return true;
  }
  const share = (taken.get(organizationId) ?? 0) + events;
  if (share > maxShare) return false;
  taken.set(organizationId, share);
  return true;
}

/** docs/metrics.md */
export const collectEventMetrics = (): Metric[] => [
  gauge(
    'reachout_unfolded_events',
    'Events that wait to be folded.',
    byKey('subject', eventBacklog.unfolded),
  ),
  gauge(
    'reachout_unfolded_events_seconds',
    'Seconds since all events were folded.',
    byKey('subject', eventBacklog.seconds),
  ),
  counter(
    'reachout_events_dropped_total',
    'Events that were not stored, because too many waited.',
    byKey('subject', eventBacklog.dropped),
  ),
];
