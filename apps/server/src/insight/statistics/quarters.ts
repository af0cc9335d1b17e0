import type { TimeSpan } from '@reachout/contract/period.ts';

// Totals of results and events are stored per quarter hour. Time zone offsets are multiples of a quarter hour.

export const quarterMs = 15 * 60_000;
export const dayMs = 24 * 60 * 60_000;

/** @returns the start of the quarter hour that contains a timestamp */
export const quarterOf = (at: Date): Date => new Date(Math.floor(at.getTime() / quarterMs) * quarterMs);

/** @returns the part of a span that consists of full quarter hours; may be empty */
export function fullQuarters({ start, end }: TimeSpan): TimeSpan {
  const first = new Date(Math.ceil(start.getTime() / quarterMs) * quarterMs);
  const last = quarterOf(end);
  return first < last ? { start: first, end: last } : { start, end: start };
}

/** @returns the part of a span that totals cover, and the remaining edges */
export function cutByQuarters(span: TimeSpan, byMinute: boolean) {
  const { start, end } = span;
  const quarters = byMinute ? { start, end: start } : fullQuarters(span);
  const edges = [
    { from: start, to: quarters.start },
    { from: quarters.end, to: end },
  ].filter(({ from, to }) => from < to);
  return { quarters, edges };
}

/** A span that rounding left out, or, with the sign -1, added. */
export interface Edge extends TimeSpan {
  sign: 1 | -1;
}

/** Rounds a span to units since 1970, each end to the nearest. @returns also what that changed: two edges at most */
export function roundSpan(
  { start, end }: TimeSpan,
  unitMs: number,
): { from: number; to: number; edges: Edge[] } {
  const round = (at: Date) => Math.round(at.getTime() / unitMs);
  const [from, to] = [round(start), round(end)];
  const edgesOf = (at: Date, units: number, sign: 1 | -1): Edge[] => {
    const rounded = new Date(units * unitMs);
    if (rounded.getTime() === at.getTime()) return [];
    return rounded < at
      ? [{ start: rounded, end: at, sign }]
      : [{ start: at, end: rounded, sign: sign === 1 ? -1 : 1 }];
  };
  return { from, to, edges: [...edgesOf(end, to, 1), ...edgesOf(start, from, -1)] };
}

/** A part of a UTC day in quarter hours, numbered 1 to 96: after number `from`, up to and including number `to`. */
export interface DayPiece {
  day: string;
  from: number;
  to: number;
  bucket: number;
}

/** Splits spans into parts of days, in order. Each span starts on a quarter hour; its last quarter hour counts in full. */
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
