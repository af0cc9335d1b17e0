import type { Period } from './statistics-queries.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const firstPeriodMs = 48 * hourMs;

/** Until its second day is over, the life of an email is its first 48 hours. */
export const hasChoice = (sentAtMs: number, nowMs: number): boolean => nowMs - sentAtMs >= firstPeriodMs;

/**
 * The longest lives that charts show by minute, hour, day, month and year (docs/statistics.md, "Periods"). Days and months are
 * a little shorter than the server's limits, which vary with the calendar.
 */
const lives = [hourMs, firstPeriodMs, 89 * dayMs, 729 * dayMs, 36_500 * dayMs];

/** The period in the format of the API, which omits the future: it remains the same until the unit changes. */
export function periodText(period: Period, sentAtMs: number, nowMs: number): string {
  const isOver = (lengthMs: number) => nowMs - sentAtMs >= lengthMs;
  const life = lives.find((lengthMs) => !isOver(lengthMs)) ?? lives.at(-1)!;
  const lengthMs = period === 'first' ? Math.min(life, firstPeriodMs) : life;
  const [start, end] = [sentAtMs, sentAtMs + lengthMs].map((ms) => new Date(ms).toISOString());
  return `${start}::${end}`;
}
