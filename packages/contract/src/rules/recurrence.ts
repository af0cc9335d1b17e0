import {
  listDays,
  maxOccurrences,
  readRule,
  readUntil,
  weekdays,
  type Rule,
  type RuleProblem,
} from './rrule.ts';

/** When an email is sent: once, or repeatedly at the same local time. */
export interface Recurrence {
  /** ISO 8601; no occurrence is before it. */
  start_date: string;
  /** IANA name. */
  time_zone: string;
  /** RFC 5545, without DTSTART; null: once. */
  rrule: string | null;
}

/**
 * Lists the occurrences in order, at most `maxOccurrences`. The rule is applied to the local time, so that it stays the same
 * across changes of the clock: a time that does not exist on a day is an hour later, and one that occurs twice is the first.
 * @param before  those after it may be left out; ISO 8601
 * @returns ISO 8601 in UTC; none for a rule with a problem
 */
export function listOccurrences(recurrence: Recurrence, before?: string): string[] {
  return [...yieldOccurrences(recurrence, before === undefined ? Infinity : Date.parse(before))];
}

/** @returns the first occurrence, or why there is none, or fewer than the rule says */
export function findFirstOccurrence(recurrence: Recurrence): string | RuleProblem {
  const { rrule } = recurrence;
  const rule = rrule === null ? null : readRule(rrule);
  if (rule !== null && 'problem' in rule) return rule;
  const { value: first } = yieldOccurrences(recurrence).next();
  if (rrule === null || rule === null) return first!;
  const { COUNT, UNTIL } = rule;
  if (first === undefined)
    return UNTIL === null ? { part: rrule, problem: 'never' } : { part: `UNTIL=${UNTIL}`, problem: 'ended' };
  return COUNT !== null && listOccurrences(recurrence).length < COUNT
    ? { part: `COUNT=${COUNT}`, problem: 'few' }
    : first;
}

/** @param before  epoch milliseconds */
function* yieldOccurrences(
  { start_date, time_zone, rrule }: Recurrence,
  before = Infinity,
): Generator<string, undefined> {
  if (rrule === null) {
    yield start_date;
    return;
  }
  const rule = readRule(rrule);
  if ('problem' in rule) return;
  const local = Temporal.Instant.from(start_date).toZonedDateTimeISO(time_zone).toPlainDateTime();
  const first = dayOf(local);
  const end = Math.min(before, endOf(rule, time_zone));
  let left = rule.COUNT ?? maxOccurrences;
  // A local date is at most a day after that in UTC.
  for (const day of listDays(rule, first, end / dayMs + 1)) {
    const at = local
      .add({ days: day - first })
      .toZonedDateTime(time_zone)
      .toInstant();
    if (at.epochMilliseconds > end) return;
    yield toText(at);
    left -= 1;
    if (left === 0) return;
  }
}

/** The last moment of a rule, in epoch milliseconds. */
function endOf({ UNTIL }: Rule, timeZone: string): number {
  const end = UNTIL === null ? undefined : readUntil(UNTIL);
  if (end === undefined) return Infinity;
  // Of a time that occurs twice, the second one.
  const zoned = end.local.toZonedDateTime(end.isUtc ? 'UTC' : timeZone, { disambiguation: 'later' });
  return zoned.epochMilliseconds;
}

const dayMs = 86_400_000;

/** Days since 1970-01-01. */
const dayOf = (local: Temporal.PlainDateTime): number =>
  Date.UTC(local.year, local.month - 1, local.day) / dayMs;

/** The first occurrence after a moment that is not at one of the taken times, or undefined. */
export const findNextOccurrence = (
  recurrence: Recurrence,
  after: string,
  taken: ReadonlySet<string> = new Set(),
): string | undefined =>
  listOccurrences(recurrence).find((at) => Date.parse(at) > Date.parse(after) && !taken.has(at));

/** The latest occurrence up to a moment that is not at one of the taken times, or undefined. */
export const findLatestOccurrence = (
  recurrence: Recurrence,
  until: string,
  taken: ReadonlySet<string> = new Set(),
): string | undefined =>
  listOccurrences(recurrence).findLast((at) => Date.parse(at) <= Date.parse(until) && !taken.has(at));

/** What is left of a recurrence from a moment on: COUNT is the number of occurrences from then on. */
export function recurrenceFrom(recurrence: Recurrence, at: string): Recurrence {
  const before = listOccurrences(recurrence).filter((one) => Date.parse(one) < Date.parse(at)).length;
  const rrule =
    recurrence.rrule?.replace(/COUNT=(\d+)/, (_, count) => `COUNT=${Math.max(1, Number(count) - before)}`) ??
    null;
  return { ...recurrence, start_date: at, rrule };
}

/** A rule that goes on for ever. */
export const withoutEnd = (rrule: string): string =>
  rrule
    .split(';')
    .filter((text) => !/^(COUNT|UNTIL)=/.test(text))
    .join(';');

/** The time of the clock in a zone: it exists once, or not at all, or twice, when the clock is set. */
export type LocalTime =
  | { exists: 'once'; at: string }
  /** `at`: the next time that exists. */
  | { exists: 'never'; at: string }
  | { exists: 'twice'; at: string; later: string };

/** @param local  `2027-03-28T02:30`. @throws RangeError for a text that is no date, and for an unknown zone */
export function resolveLocalTime(local: string, timeZone: string): LocalTime {
  const plain = Temporal.PlainDateTime.from(local);
  const [earlier, later] = (['earlier', 'later'] as const).map((disambiguation) =>
    plain.toZonedDateTime(timeZone, { disambiguation }),
  ) as [Temporal.ZonedDateTime, Temporal.ZonedDateTime];
  const at = toText(earlier.toInstant());
  if (Temporal.ZonedDateTime.compare(earlier, later) === 0) return { exists: 'once', at };
  if (!earlier.toPlainDateTime().equals(plain)) {
    const change = earlier.getTimeZoneTransition('next')!;
    return { exists: 'never', at: toText(change.toInstant()) };
  }
  return { exists: 'twice', at, later: toText(later.toInstant()) };
}

/** The form of timestamps in responses. */
const toText = (instant: Temporal.Instant): string => instant.toString({ smallestUnit: 'millisecond' });

export const recurrencePresets = ['daily', 'weekdays', 'weekly', 'monthly', 'monthly_weekday'] as const;
export type RecurrencePreset = (typeof recurrencePresets)[number];

/** @param start  the first occurrence, for the day of the week or month; @returns the rule without an end */
export function presetRule(
  preset: RecurrencePreset,
  { start_date, time_zone }: Omit<Recurrence, 'rrule'>,
): string {
  const { dayOfWeek, day } = Temporal.Instant.from(start_date).toZonedDateTimeISO(time_zone);
  const weekday = weekdays[dayOfWeek - 1]!;
  // A month without a fifth one would be left out: the last one is meant.
  const place = day > 28 ? -1 : Math.ceil(day / 7);
  return {
    daily: 'FREQ=DAILY',
    weekdays: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    weekly: `FREQ=WEEKLY;BYDAY=${weekday}`,
    monthly: `FREQ=MONTHLY;${monthDay(day)}`,
    monthly_weekday: `FREQ=MONTHLY;BYDAY=${place}${weekday}`,
  }[preset];
}

/** The last day of shorter months stands in for a day that they do not have. */
function monthDay(day: number): string {
  if (day <= 28) return `BYMONTHDAY=${day}`;
  const candidates = Array.from({ length: day - 27 }, (_, index) => 28 + index);
  return `BYMONTHDAY=${candidates.join(',')};BYSETPOS=-1`;
}
