import type { TimeSpan } from '@reachout/contract/period.ts';

// Totals of results and events are kept by quarters of an hour. Time zones differ by full quarters.

const quarterMs = 15 * 60_000;
const dayMs = 24 * 60 * 60_000;

/** The start of the quarter that an instant is in. */
export const quarterOf = (at: Date): Date => new Date(Math.floor(at.getTime() / quarterMs) * quarterMs);

/** The part of a span that consists of full quarters of an hour; may be empty. */
export function fullQuarters({ start, end }: TimeSpan): TimeSpan {
  const first = new Date(Math.ceil(start.getTime() / quarterMs) * quarterMs);
  const last = quarterOf(end);
  return first < last ? { start: first, end: last } : { start, end: start };
}

/** A part of a day in UTC, by its quarters of an hour: from behind the one with the number `from` to the one with `to`, of 1 to 96. */
export interface DayPiece {
  day: string;
  from: number;
  to: number;
  bucket: number;
}

/** Spans as pieces of days, by time. Each begins with a quarter of an hour; of the one that it ends in, all is taken. */
export function cutByDay(spans: readonly (TimeSpan & { bucket: number })[]): DayPiece[] {
  const pieces: DayPiece[] = [];
  for (const { start, end, bucket } of spans)
    for (let at = start.getTime(); at < end.getTime();) {
      const day = Math.floor(at / dayMs) * dayMs;
      const stop = Math.min(end.getTime(), day + dayMs);
      pieces.push({
        day: new Date(day).toISOString().slice(0, 10),
        from: (at - day) / quarterMs,
        to: Math.ceil((stop - day) / quarterMs),
        bucket,
      });
      at = stop;
    }
  return pieces;
}
