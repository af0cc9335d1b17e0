import { instantOf, startOfHour, startOfMinute, wallTimeAt, weekdayOf, type WallTime } from './time-zone.ts';

/** What periods are counted in, and what charts are cut into. */
export const periodUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;
export type PeriodUnit = (typeof periodUnits)[number];

/** A span of time: `start` belongs to it, `end` does not. */
export interface TimeSpan {
  start: Date;
  end: Date;
}

export interface Period extends TimeSpan {
  /** The span right before it that it is compared with: as many units, or for an explicit range as much time. */
  previous: TimeSpan;
  /** What one bucket of its chart is. */
  granularity: PeriodUnit;
}

/** The text is none of `1day`, `-1day`, `7day`, `start::end`, or it is out of bounds; the message says which. */
export class InvalidPeriod extends Error {
  override name = 'InvalidPeriod';
}

/** Units of a period; a chart of the last 1,000 minutes is about as wide as a screen. */
const longestCount = 1_000;
const earliestMs = Date.UTC(1970, 0, 1);
const latestMs = Date.UTC(2200, 0, 1);

/**
 * Reads a statistics period. `1day` is the current day, whole; `-1day` the one before; `7day` the last seven days with
 * the current one. Days, weeks (from Monday), months and years are those of the viewer's time zone.
 * @param text  `1<unit>`, `-1<unit>`, `<n><unit>`, or `<start>::<end>` in ISO 8601. Without an offset a time is one of
 * the zone; a date alone is its midnight as a start, and the end of that day as an end.
 * @throws InvalidPeriod
 * @see docs/statistics.md, "Periods"
 */
export function readPeriod(text: string, { now, timeZone }: { now: Date; timeZone: string }): Period {
  const [, count, unit] = /^(-?\d{1,4})([a-z]+)$/.exec(text) ?? [];
  const period =
    count === undefined
      ? readRange(text, timeZone)
      : readUnits(Number(count), toUnit(unit), now.getTime(), timeZone);
  if (period.start.getTime() < earliestMs || period.end.getTime() > latestMs)
    throw new InvalidPeriod('A period lies between the years 1970 and 2200.');
  return period;
}

/**
 * The starts of a chart's buckets, in order. They begin with the unit that `start` is in, so the first one may begin
 * before the period; each ends where the next begins, the last at the end of its unit.
 */
export function listBuckets({ start, end }: TimeSpan, granularity: PeriodUnit, timeZone: string): Date[] {
  const buckets: Date[] = [];
  let bucket = startOfUnit(start.getTime(), granularity, timeZone);
  while (bucket < end.getTime()) {
    buckets.push(new Date(bucket));
    bucket = nextUnit(bucket, granularity, timeZone);
  }
  return buckets;
}

/** Hour for a day, day for a week or month, month for a year, otherwise the unit itself. */
function granularityOf(count: number, unit: PeriodUnit): PeriodUnit {
  if (Math.abs(count) !== 1) return unit;
  if (unit === 'day') return 'hour';
  if (unit === 'week' || unit === 'month') return 'day';
  return unit === 'year' ? 'month' : unit;
}

function toUnit(word: string | undefined): PeriodUnit {
  const unit = periodUnits.find((known) => known === word);
  if (unit === undefined) throw new InvalidPeriod(`A period is counted in ${periodUnits.join(', ')}.`);
  return unit;
}

function readUnits(count: number, unit: PeriodUnit, nowMs: number, timeZone: string): Period {
  if (count === 0 || count < -1 || count > longestCount)
    throw new InvalidPeriod(`A period is -1, or 1 to ${longestCount}, units long.`);
  const current = startOfUnit(nowMs, unit, timeZone);
  const end = count === -1 ? current : nextUnit(current, unit, timeZone);
  const start = unitsBefore(current, unit, count === -1 ? 1 : count - 1, timeZone);
  return {
    ...span(start, end),
    previous: span(unitsBefore(start, unit, Math.abs(count), timeZone), start),
    granularity: granularityOf(count, unit),
  };
}

function readRange(text: string, timeZone: string): Period {
  const [from, to, ...more] = text.split('::');
  if (from === undefined || to === undefined || more.length > 0)
    throw new InvalidPeriod('Use a period such as 1day, -1day, 7day or start::end.');
  const start = readInstant(from, 'start', timeZone);
  const end = readInstant(to, 'end', timeZone);
  if (end <= start) throw new InvalidPeriod('The end of a period is after its start.');
  return {
    ...span(start, end),
    previous: span(start - (end - start), start),
    granularity: granularityOfRange(start, end, timeZone),
  };
}

/**
 * Picks the chart bucket for an explicit range: minute up to 60 minutes, hour up to 48 hours, day up to 90 days, month
 * up to 24 months, else year. Days and months are those of the calendar, whatever clocks do in between.
 */
function granularityOfRange(start: number, end: number, timeZone: string): PeriodUnit {
  const minuteMs = 60_000;
  if (end - start <= 60 * minuteMs) return 'minute';
  if (end - start <= 48 * 60 * minuteMs) return 'hour';
  if (end <= shiftUnits(start, 'day', 90, timeZone)) return 'day';
  return end <= shiftUnits(start, 'month', 24, timeZone) ? 'month' : 'year';
}

const isoPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

function readInstant(text: string, side: 'start' | 'end', timeZone: string): number {
  const match = isoPattern.exec(text);
  const [, year, month, day, hour, minute, offset] = match ?? [];
  // Date refuses what is no day or time, such as the 30th of February in most engines; the rest is compared below.
  const utc = new Date(offset === undefined && hour !== undefined ? `${text}Z` : text);
  if (
    match === null ||
    Number.isNaN(utc.getTime()) ||
    !isCalendarDay(Number(year), Number(month), Number(day))
  )
    throw new InvalidPeriod(`The ${side} of the period is not an ISO 8601 date or time.`);
  if (offset !== undefined) return utc.getTime();
  const wall = { year: Number(year), month: Number(month), day: Number(day) };
  if (hour === undefined)
    return instantOf({ ...wall, day: wall.day + (side === 'end' ? 1 : 0), hour: 0, minute: 0 }, timeZone);
  const secondsMs = utc.getTime() % 60_000;
  return instantOf({ ...wall, hour: Number(hour), minute: Number(minute) }, timeZone) + secondsMs;
}

const isCalendarDay = (year: number, month: number, day: number) => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

function startOfUnit(instantMs: number, unit: PeriodUnit, timeZone: string): number {
  if (unit === 'minute') return startOfMinute(instantMs);
  if (unit === 'hour') return startOfHour(instantMs, timeZone);
  const wall = wallTimeAt(instantMs, timeZone);
  return instantOf(firstDayOf(wall, unit), timeZone);
}

function firstDayOf(wall: WallTime, unit: PeriodUnit): WallTime {
  const midnight = { ...wall, hour: 0, minute: 0 };
  if (unit === 'week') return { ...midnight, day: wall.day - weekdayOf(wall) };
  if (unit === 'month') return { ...midnight, day: 1 };
  return unit === 'year' ? { ...midnight, month: 1, day: 1 } : midnight;
}

/** A day may begin at one o'clock, where clocks skip midnight: hence the start of the unit that the shift ends in. */
const unitsBefore = (startMs: number, unit: PeriodUnit, count: number, timeZone: string): number =>
  startOfUnit(shiftUnits(startMs, unit, -count, timeZone), unit, timeZone);

/** The start of the unit after the one that starts at `startMs`. */
function nextUnit(startMs: number, unit: PeriodUnit, timeZone: string): number {
  if (unit !== 'hour') return startOfUnit(shiftUnits(startMs, unit, 1, timeZone), unit, timeZone);
  // Where clocks change by half an hour, the next full hour may be near.
  const hourMs = 3_600_000;
  const next = startOfHour(startMs + hourMs, timeZone);
  return next > startMs ? next : startOfHour(startMs + 2 * hourMs, timeZone);
}

/** Minutes and hours are as long as they are; the others keep the clock's reading, whatever clocks do in between. */
function shiftUnits(instantMs: number, unit: PeriodUnit, count: number, timeZone: string): number {
  if (unit === 'minute') return instantMs + count * 60_000;
  if (unit === 'hour') return instantMs + count * 3_600_000;
  const wall = wallTimeAt(instantMs, timeZone);
  const withinMinuteMs = instantMs - startOfMinute(instantMs);
  if (unit === 'day' || unit === 'week') {
    const days = unit === 'week' ? count * 7 : count;
    return instantOf({ ...wall, day: wall.day + days }, timeZone) + withinMinuteMs;
  }
  const months = wall.month - 1 + (unit === 'year' ? count * 12 : count);
  const year = wall.year + Math.floor(months / 12);
  const month = (((months % 12) + 12) % 12) + 1;
  // A month after the 31st is the last day of a shorter one.
  const day = Math.min(wall.day, new Date(Date.UTC(year, month, 0)).getUTCDate());
  return instantOf({ ...wall, year, month, day }, timeZone) + withinMinuteMs;
}

const span = (startMs: number, endMs: number): TimeSpan => ({
  start: new Date(startMs),
  end: new Date(endMs),
});
