import { RRuleTemporal } from 'rrule-temporal';

/** When an email is sent: once, or repeatedly at the same local time. */
export interface Recurrence {
  /** ISO 8601; no occurrence is before it. */
  start_date: string;
  /** IANA name. */
  time_zone: string;
  /** RFC 5545, without DTSTART; null: once. */
  rrule: string | null;
}

/** Later occurrences of a rule do not exist. */
export const maxOccurrences = 500;

/** Parts of RFC 5545 that keep occurrences at least a day apart, so no BYHOUR; in any order. */
const part =
  /^(?:FREQ=(?:DAILY|WEEKLY|MONTHLY|YEARLY)|INTERVAL=[1-9]\d{0,2}|COUNT=[1-9]\d{0,2}|UNTIL=\d{8}(?:T\d{6}Z?)?|BYDAY=[+-]?\d{0,2}(?:MO|TU|WE|TH|FR|SA|SU)(?:,[+-]?\d{0,2}(?:MO|TU|WE|TH|FR|SA|SU))*|BYMONTHDAY=-?\d{1,2}(?:,-?\d{1,2})*|BYMONTH=\d{1,2}(?:,\d{1,2})*|BYSETPOS=-?\d{1,3}(?:,-?\d{1,3})*|WKST=(?:MO|TU|WE|TH|FR|SA|SU))$/;

/**
 * Lists the occurrences in order, at most `maxOccurrences`. The rule is applied to the local time, so that it stays the same
 * across changes of the clock: a time that does not exist on a day is an hour later, and one that occurs twice is the first.
 * @param before  those after it may be left out; ISO 8601
 * @returns ISO 8601 in UTC, or undefined for a rule that is not supported or has no occurrence
 */
export function listOccurrences(
  { start_date, time_zone, rrule }: Recurrence,
  before?: string,
): string[] | undefined {
  if (rrule === null) return [start_date];
  const parts = rrule.split(';');
  const names = parts.map((text) => text.split('=')[0]);
  if (
    !parts.every((text) => part.test(text)) ||
    new Set(names).size < names.length ||
    !names.includes('FREQ')
  )
    return undefined;
  const local = Temporal.Instant.from(start_date).toZonedDateTimeISO(time_zone).toPlainDateTime();
  // A local time in UTC is at most 14 hours from the time that it means.
  const end = before === undefined ? undefined : Date.parse(before) + 14 * 3_600_000;
  try {
    const rule = new RRuleTemporal({
      rruleString: parts.map((text) => toLocalEnd(text, time_zone)).join(';'),
      dtstart: local.toZonedDateTime('UTC'),
    });
    const found = rule
      .all((at, index) => index < maxOccurrences && (end === undefined || at.epochMilliseconds < end))
      .map((at) => toText(at.toPlainDateTime().toZonedDateTime(time_zone).toInstant()));
    return found.length === 0 ? undefined : found;
  } catch {
    return undefined;
  }
}

/** The first occurrence after a moment that is not at one of the taken times, or undefined. */
export const findNextOccurrence = (
  recurrence: Recurrence,
  after: string,
  taken: ReadonlySet<string> = new Set(),
): string | undefined =>
  listOccurrences(recurrence)?.find((at) => Date.parse(at) > Date.parse(after) && !taken.has(at));

/** The latest occurrence up to a moment that is not at one of the taken times, or undefined. */
export const findLatestOccurrence = (
  recurrence: Recurrence,
  until: string,
  taken: ReadonlySet<string> = new Set(),
): string | undefined =>
  listOccurrences(recurrence)?.findLast((at) => Date.parse(at) <= Date.parse(until) && !taken.has(at));

/** What is left of a recurrence from a moment on: COUNT is the number of occurrences from then on. */
export function recurrenceFrom(recurrence: Recurrence, at: string): Recurrence {
  const before = listOccurrences(recurrence)?.filter((one) => Date.parse(one) < Date.parse(at)).length ?? 0;
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

/** UNTIL in UTC as the same moment in local time, since the rule is applied to local times. */
function toLocalEnd(text: string, timeZone: string): string {
  const match = /^UNTIL=(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/.exec(text);
  if (match === null) return text;
  const [, year, month, day, hour = '23', minute = '59', second = '59', utc = ''] = match;
  const given = Temporal.PlainDateTime.from(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
  const end = utc === '' ? given : given.toZonedDateTime('UTC').withTimeZone(timeZone).toPlainDateTime();
  return `UNTIL=${end.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')}Z`;
}

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

const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

/** @param start  the first occurrence, for the day of the week or month; @returns the rule without an end */
export function presetRule(
  preset: RecurrencePreset,
  { start_date, time_zone }: Omit<Recurrence, 'rrule'>,
): string {
  const { dayOfWeek, day } = Temporal.Instant.from(start_date).toZonedDateTimeISO(time_zone);
  const weekday = days[dayOfWeek - 1]!;
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
