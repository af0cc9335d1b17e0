import type { TimeSpan } from '@reachout/contract/period.ts';

// Totals of results and events are kept by quarters of an hour. Time zones differ by full quarters.

const quarterMs = 15 * 60_000;

/** The start of the quarter that an instant is in. */
export const quarterOf = (at: Date): Date => new Date(Math.floor(at.getTime() / quarterMs) * quarterMs);

/** The part of a span that consists of full quarters of an hour; may be empty. */
export function fullQuarters({ start, end }: TimeSpan): TimeSpan {
  const first = new Date(Math.ceil(start.getTime() / quarterMs) * quarterMs);
  const last = quarterOf(end);
  return first < last ? { start: first, end: last } : { start, end: start };
}
