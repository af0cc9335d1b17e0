import { periodUnits, type PeriodUnit } from './statistics.ts';

// Needs Temporal, which the server's Node.js provides. The web app only sends the text of a period and does not parse it.

/** A span of time: includes `start`, excludes `end`. */
export interface TimeSpan {
  start: Date;
  end: Date;
}

export interface Period extends TimeSpan {
  /** End of the available data: `end`, or now while the period is running. */
  until: Date;
  /**
   * The span to compare with: the same number of units right before it, or for an explicit range the same duration. For a
   * running period, only the part that corresponds to `start` until now.
   */
  previous: TimeSpan;
  /** Unit of one chart bucket. */
  granularity: PeriodUnit;
}

/**
 * The text is not a period such as `1day`, `-1day`, `7day` or `start::end`, or it is out of bounds; the message says which.
 */
export class InvalidPeriod extends Error {
  override name = 'InvalidPeriod';
}

/** Maximum number of units; a chart of the last 1,000 minutes is about as wide as a screen. */
const maxCount = 1_000;
const earliestMs = Date.UTC(1970, 0, 1);
const latestMs = Date.UTC(2200, 0, 1);

/**
 * Parses a statistics period. `1day` is the whole current day, `-1day` the day before, `7day` the last seven days including
 * the current one. Days, weeks (from Monday), months and years are those of the viewer's time zone.
 * @param text  `1<unit>`, `-1<unit>`, `<n><unit>`, or `<start>::<end>` in ISO 8601. A time without an offset is in the time
 * zone; a date alone means its midnight as a start, and the end of that day as an end.
 * @throws InvalidPeriod
 * @see docs/statistics.md, "Periods"
 */
export function readPeriod(text: string, { now, timeZone }: { now: Date; timeZone: string }): Period {
  const [, count, unit] = /^(-?\d{1,4})([a-z]+)$/.exec(text) ?? [];
  const period =
    count === undefined
      ? readRange(text, now.getTime(), timeZone)
      : readUnits(Number(count), toUnit(unit), now.getTime(), timeZone);
  if (period.start.getTime() < earliestMs || period.end.getTime() > latestMs)
    throw new InvalidPeriod('A period lies between the years 1970 and 2200.');
  return period;
}

/**
 * @returns the starts of a chart's buckets, in order. The first bucket is the unit that contains `start`, so it may begin
 * before the period. Each bucket ends where the next begins, the last one at the end of its unit.
 */
export function listBuckets({ start, end }: TimeSpan, granularity: PeriodUnit, timeZone: string): Date[] {
  const buckets: Date[] = [];
  let bucket = startOfUnit(zoned(start.getTime(), timeZone), granularity);
  while (bucket.epochMilliseconds < end.getTime()) {
    buckets.push(toDate(bucket));
    bucket = nextUnit(bucket, granularity);
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
  if (count === 0 || count < -1 || count > maxCount)
    throw new InvalidPeriod(`A period is -1, or 1 to ${maxCount}, units long.`);
  const time = zoned(nowMs, timeZone);
  const current = startOfUnit(time, unit);
  const isOver = count === -1;
  const end = isOver ? current : nextUnit(current, unit);
  const start = unitsBefore(current, unit, isOver ? 1 : count - 1);
  const previousStart = unitsBefore(start, unit, Math.abs(count));
  const previousEnd = isOver ? start : time.subtract({ [`${unit}s`]: count });
  return {
    start: toDate(start),
    end: toDate(end),
    until: toDate(isOver ? end : time),
    previous: { start: toDate(previousStart), end: toDate(previousEnd) },
    granularity: granularityOf(count, unit),
  };
}

function readRange(text: string, nowMs: number, timeZone: string): Period {
  const [from, to, ...more] = text.split('::');
  if (from === undefined || to === undefined || more.length > 0)
    throw new InvalidPeriod('Use a period such as 1day, -1day, 7day or start::end.');
  const start = readMoment(from, 'start', timeZone);
  const end = readMoment(to, 'end', timeZone);
  const lengthMs = end.epochMilliseconds - start.epochMilliseconds;
  if (lengthMs <= 0) throw new InvalidPeriod('The end of a period is after its start.');
  const untilMs = Math.min(end.epochMilliseconds, Math.max(start.epochMilliseconds, nowMs));
  return {
    start: toDate(start),
    end: toDate(end),
    until: new Date(untilMs),
    previous: { start: new Date(start.epochMilliseconds - lengthMs), end: new Date(untilMs - lengthMs) },
    granularity: granularityOfRange(start, end),
  };
}

/**
 * Picks the chart bucket for an explicit range: minute up to 60 minutes, hour up to 48 hours, day up to 90 days, month up to
 * 24 months, else year. Days and months are calendar units, regardless of clock changes in between.
 */
function granularityOfRange(start: Temporal.ZonedDateTime, end: Temporal.ZonedDateTime): PeriodUnit {
  const isWithin = (length: Temporal.DurationLike): boolean =>
    Temporal.ZonedDateTime.compare(end, start.add(length)) <= 0;
  if (isWithin({ minutes: 60 })) return 'minute';
  if (isWithin({ hours: 48 })) return 'hour';
  if (isWithin({ days: 90 })) return 'day';
  return isWithin({ months: 24 }) ? 'month' : 'year';
}

const isoPattern = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(?::[0-5]\d(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A time that a clock change skips moves forward by the change; of one that occurs twice, the first is used. */
function readMoment(text: string, side: 'start' | 'end', timeZone: string): Temporal.ZonedDateTime {
  const [, time, offset] = isoPattern.exec(text) ?? fail(side);
  try {
    if (offset !== undefined) return Temporal.Instant.from(text).toZonedDateTimeISO(timeZone);
    if (time !== undefined) return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone);
    const day = Temporal.PlainDate.from(text);
    return (side === 'end' ? day.add({ days: 1 }) : day).toZonedDateTime(timeZone);
  } catch {
    // For example, February 30.
    return fail(side);
  }
}

function fail(side: 'start' | 'end'): never {
  throw new InvalidPeriod(`The ${side} of the period is not an ISO 8601 date or time.`);
}

const zoned = (epochMs: number, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone);

const toDate = ({ epochMilliseconds }: Temporal.ZonedDateTime): Date => new Date(epochMilliseconds);

/**
 * The last full hour is in the zone's local time, which is not always a UTC hour: see Asia/Kolkata. Weeks begin on Monday.
 */
function startOfUnit(time: Temporal.ZonedDateTime, unit: PeriodUnit): Temporal.ZonedDateTime {
  if (unit === 'minute' || unit === 'hour') return time.round({ smallestUnit: unit, roundingMode: 'floor' });
  if (unit === 'week') return time.subtract({ days: time.dayOfWeek - 1 }).startOfDay();
  if (unit === 'month') return time.with({ day: 1 }).startOfDay();
  return (unit === 'year' ? time.with({ month: 1, day: 1 }) : time).startOfDay();
}

/**
 * A day may begin at 1:00 where a clock change skips midnight, so this returns the start of the unit that the shift ends in.
 */
const unitsBefore = (
  start: Temporal.ZonedDateTime,
  unit: PeriodUnit,
  count: number,
): Temporal.ZonedDateTime => startOfUnit(start.subtract({ [`${unit}s`]: count }), unit);

/** @returns the start of the unit after the one that starts at `start` */
function nextUnit(start: Temporal.ZonedDateTime, unit: PeriodUnit): Temporal.ZonedDateTime {
  const next = startOfUnit(start.add({ [`${unit}s`]: 1 }), unit);
  // If clocks go back by half an hour, one hour later may still be in the same hour.
  return Temporal.ZonedDateTime.compare(next, start) > 0 ? next : startOfUnit(start.add({ hours: 2 }), unit);
}
