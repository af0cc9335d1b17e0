import { fillPlaceholders } from './placeholders.ts';

const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
type Frequency = (typeof frequencies)[number];

/** As the rule has them; the first one is day 0. */
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

/** Later occurrences of a rule do not exist. */
export const maxOccurrences = 500;
/** Occurrences further after the start do not exist. Even a leap day on a Monday comes every 40 years. */
export const maxYears = 100;

/** A recurrence rule of RFC 5545, 3.3.10, whose occurrences are days: at the time of its start. */
export interface Rule {
  FREQ: Frequency;
  INTERVAL: number;
  /** Null: without end. */
  COUNT: number | null;
  /** As written. */
  UNTIL: string | null;
  BYMONTH: ReadonlySet<number> | null;
  BYMONTHDAY: ReadonlySet<number> | null;
  BYYEARDAY: ReadonlySet<number> | null;
  BYWEEKNO: ReadonlySet<number> | null;
  BYDAY: readonly { weekday: number; place: number | null }[] | null;
  BYSETPOS: readonly number[] | null;
  WKST: number;
}

/** What is wrong with a rule, by code. The web app has these texts in its languages. */
export const ruleProblems = {
  missing: 'Use a rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=TU.',
  unknown: '“{{part}}” is not a part of a rule of RFC 5545.',
  unsupported: '“{{part}}”: occurrences are at least a day apart, at the time of the first one.',
  repeated: '“{{part}}”: use each part once.',
  alone: '“{{part}}” needs another part that it counts in, such as BYDAY.',
  never: `No day within ${maxYears} years fits “{{part}}”.`,
  few: `“{{part}}”: there are fewer occurrences within ${maxYears} years.`,
  ended: 'There is no occurrence up to “{{part}}”.',
  value: '“{{part}}”: use {{other}}.',
  combination: '“{{part}}” cannot be used with {{other}}.',
} as const;

/** Why there is no such rule. */
export interface RuleProblem {
  /** As it is written, such as `BYMONTH=13`. */
  part: string;
  problem: keyof typeof ruleProblems;
  /** The values that the part may have (`value`), or the part that it cannot be used with (`combination`). */
  other?: string;
}

export const describeRuleProblem = ({ problem, ...values }: RuleProblem): string =>
  fillPlaceholders(ruleProblems[problem], values);

interface Part {
  allowed: string;
  /** @returns undefined for a value that is not allowed */
  read: (value: string) => unknown;
}

const readNumber = (text: string, lowest: number, highest: number): number | undefined => {
  const value = /^[+-]?\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  return value !== 0 && value >= lowest && value <= highest ? value : undefined;
};

const readList = <T>(value: string, readOne: (text: string) => T | undefined): T[] | undefined => {
  const found = value.split(',').map(readOne);
  return found.every((one) => one !== undefined) ? found : undefined;
};

const number = (highest: number): Part => ({
  allowed: `1…${highest}`,
  read: (value) => (/^\d/.test(value) ? readNumber(value, 1, highest) : undefined),
});
/** Negative ones count from the end. */
const numbers = (highest: number, lowest = -highest): Part => ({
  allowed: lowest < 0 ? `1…${highest}, ${lowest}…-1` : `1…${highest}`,
  read: (value) => readList(value, (text) => readNumber(text, lowest, highest)),
});

const readDay = (text: string): { weekday: number; place: number | null } | undefined => {
  const [, place = '', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? [];
  const weekday = weekdays.findIndex((known) => known === name);
  const nth = place === '' ? null : readNumber(place, -53, 53);
  return weekday < 0 || nth === undefined ? undefined : { weekday, place: nth };
};

const oneOf = (values: readonly string[]): Part => ({
  allowed: values.join(', '),
  read: (value) => (values.includes(value) ? value : undefined),
});

const parts: { [Name in keyof Rule]: Part } = {
  FREQ: oneOf(frequencies),
  INTERVAL: number(999),
  COUNT: number(maxOccurrences),
  UNTIL: {
    allowed: '20271231, 20271231T235959Z',
    read: (value) => (readUntil(value) === undefined ? undefined : value),
  },
  BYMONTH: numbers(12, 1),
  BYMONTHDAY: numbers(31),
  BYYEARDAY: numbers(366),
  BYWEEKNO: numbers(53),
  BYDAY: {
    allowed: `${weekdays.join(', ')}, 1MO…53MO, -53MO…-1MO`,
    read: (value) => readList(value, readDay),
  },
  BYSETPOS: numbers(366),
  WKST: oneOf(weekdays),
};

/** Parts of RFC 5545 that would give several occurrences a day, or others than the time of the start. */
const unsupported = new Set(['BYHOUR', 'BYMINUTE', 'BYSECOND']);
const unsupportedFrequencies = new Set(['HOURLY', 'MINUTELY', 'SECONDLY']);

const setParts = ['BYMONTH', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO'] as const;
const setNames: ReadonlySet<string> = new Set(setParts);

/** Reads a rule. What it has beside RFC 5545, or out of the ranges there, is a problem: nothing is left out. */
export function readRule(text: string): Rule | RuleProblem {
  const written = new Map<string, string>();
  const rule: Record<string, unknown> = {};
  for (const part of text.split(';')) {
    const [name = '', value = '', ...rest] = part.split('=');
    if (unsupported.has(name) || (name === 'FREQ' && unsupportedFrequencies.has(value)))
      return { part, problem: 'unsupported' };
    if (!Object.hasOwn(parts, name) || rest.length > 0)
      return text === '' ? { part: 'FREQ', problem: 'missing' } : { part, problem: 'unknown' };
    if (written.has(name)) return { part, problem: 'repeated' };
    const { allowed, read } = parts[name as keyof Rule];
    const found = read(value);
    if (found === undefined) return { part, problem: 'value', other: allowed };
    written.set(name, part);
    rule[name] = setNames.has(name) ? new Set(found as number[]) : found;
  }
  if (!written.has('FREQ')) return { part: 'FREQ', problem: 'missing' };
  const empty = Object.fromEntries(Object.keys(parts).map((name) => [name, null]));
  const wkst = weekdays.findIndex((day) => day === (rule['WKST'] ?? 'MO'));
  const whole = { ...empty, INTERVAL: 1, ...rule, WKST: wkst } as unknown as Rule;
  return findConflict(whole, written) ?? whole;
}

/** What RFC 5545 forbids together, and places that a month does not have. */
function findConflict(rule: Rule, written: ReadonlyMap<string, string>): RuleProblem | undefined {
  const { FREQ } = rule;
  const conflict = (name: keyof Rule, other: string): RuleProblem => ({
    part: written.get(name)!,
    problem: 'combination',
    other,
  });
  if (rule.UNTIL !== null && rule.COUNT !== null) return conflict('UNTIL', 'COUNT');
  if (rule.BYMONTHDAY && FREQ === 'WEEKLY') return conflict('BYMONTHDAY', 'FREQ=WEEKLY');
  if (rule.BYYEARDAY && FREQ !== 'YEARLY') return conflict('BYYEARDAY', `FREQ=${FREQ}`);
  if (rule.BYWEEKNO && FREQ !== 'YEARLY') return conflict('BYWEEKNO', `FREQ=${FREQ}`);
  const places = rule.BYDAY?.flatMap(({ place }) => place ?? []) ?? [];
  if (places.length > 0) {
    if (FREQ === 'DAILY' || FREQ === 'WEEKLY') return conflict('BYDAY', `FREQ=${FREQ}`);
    if (rule.BYWEEKNO) return conflict('BYDAY', 'BYWEEKNO');
    if (isPlacedInMonth(rule) && places.some((place) => Math.abs(place) > 5))
      return {
        part: written.get('BYDAY')!,
        problem: 'value',
        other: `${weekdays.join(', ')}, 1MO…5MO, -5MO…-1MO`,
      };
  }
  const isAlone = rule.BYDAY === null && setParts.every((name) => rule[name] === null);
  if (rule.BYSETPOS && isAlone) return { part: written.get('BYSETPOS')!, problem: 'alone' };
  return undefined;
}

const isPlacedInMonth = ({ FREQ, BYMONTH }: Rule): boolean => FREQ === 'MONTHLY' || BYMONTH !== null;

/** @param value  of UNTIL; a day ends with its last second. @returns undefined for a day or time that does not exist */
export function readUntil(value: string): { local: Temporal.PlainDateTime; isUtc: boolean } | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(value);
  if (match === null) return undefined;
  const [, year, month, day, hour = '23', minute = '59', second = '59.999', utc = ''] = match;
  try {
    const local = Temporal.PlainDateTime.from(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
    return { local, isUtc: utc !== '' };
  } catch {
    return undefined;
  }
}

const dayMs = 86_400_000;

/** @returns days since 1970-01-01. `month`: from 0, and may be beyond the year */
const toDay = (year: number, month: number, date: number): number => Date.UTC(year, month, date) / dayMs;

const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

interface DateParts {
  day: number;
  year: number;
  /** From 1. */
  month: number;
  /** Of the month, from 1. */
  date: number;
}

function datePartsOf(day: number): DateParts {
  const at = new Date(day * dayMs);
  return { day, year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, date: at.getUTCDate() };
}

/**
 * Yields the days that fit a rule, in order, within `maxYears`. The part of the day that the rule leaves open is that of the
 * start. Looks at each day once: a rule that never fits takes some milliseconds.
 * @param first  the day of the start, since 1970-01-01; @param last  none after it is needed
 */
export function* listDays(rule: Rule, first: number, last = Infinity): Generator<number> {
  const start = datePartsOf(first);
  const end = Math.min(last, toDay(start.year + maxYears, start.month - 1, start.date));
  const fits = toCondition(rule, start);
  // Without its date, as most days are.
  const isWeekday = rule.BYDAY && new Set(rule.BYDAY.map(({ weekday }) => weekday));
  for (let index = 0; ; index += rule.INTERVAL) {
    const [from, to] = periodOf(rule, start, index);
    if (from > end) return;
    const found: number[] = [];
    for (let day = from; day < to; day += 1)
      if (isWeekday?.has(weekdayOf(day)) !== false && fits(datePartsOf(day))) found.push(day);
    for (const day of atPositions(found, rule.BYSETPOS)) if (day >= first && day <= end) yield day;
  }
}

/** @returns the first day of the period with an index, and the one after its last */
function periodOf(
  { FREQ, WKST }: Rule,
  { day, year, month }: DateParts,
  index: number,
): readonly [number, number] {
  if (FREQ === 'DAILY') return [day + index, day + index + 1];
  if (FREQ === 'WEEKLY') {
    const from = day - ((weekdayOf(day) - WKST + 7) % 7) + 7 * index;
    return [from, from + 7];
  }
  if (FREQ === 'MONTHLY') return [toDay(year, month - 1 + index, 1), toDay(year, month + index, 1)];
  return [toDay(year + index, 0, 1), toDay(year + index + 1, 0, 1)];
}

function atPositions(days: number[], positions: Rule['BYSETPOS']): number[] {
  if (positions === null) return days;
  const chosen = new Set(positions.map((position) => days.at(position > 0 ? position - 1 : position)));
  return days.filter((day) => chosen.has(day));
}

/** @returns whether a day of a period fits. What a rule leaves open is as at its start (RFC 5545, 3.3.10). */
function toCondition(rule: Rule, start: DateParts): (parts: DateParts) => boolean {
  const { FREQ, BYYEARDAY, BYWEEKNO, WKST } = rule;
  const isOpen = rule.BYDAY === null && rule.BYMONTHDAY === null && BYYEARDAY === null;
  const isYearDay = isOpen && BYWEEKNO === null && FREQ === 'YEARLY';
  const ownWeekday = isOpen && (FREQ === 'WEEKLY' || BYWEEKNO !== null);
  const BYMONTH = rule.BYMONTH ?? (isYearDay ? new Set([start.month]) : null);
  const BYMONTHDAY =
    rule.BYMONTHDAY ?? (isYearDay || (isOpen && FREQ === 'MONTHLY') ? new Set([start.date]) : null);
  const BYDAY = rule.BYDAY ?? (ownWeekday ? [{ weekday: weekdayOf(start.day), place: null }] : null);
  const placedInMonth = isPlacedInMonth(rule);

  const fitsWeekday = ({ day, year, month }: DateParts): boolean =>
    BYDAY!.some(({ weekday, place }) => {
      if (weekdayOf(day) !== weekday) return false;
      if (place === null) return true;
      const from = placedInMonth ? toDay(year, month - 1, 1) : toDay(year, 0, 1);
      const to = placedInMonth ? toDay(year, month, 1) : toDay(year + 1, 0, 1);
      return place > 0 ? Math.ceil((day - from + 1) / 7) === place : -Math.ceil((to - day) / 7) === place;
    });

  return (at) => {
    const { day, year, month, date } = at;
    if (BYMONTH !== null && !BYMONTH.has(month)) return false;
    if (BYMONTHDAY !== null && !BYMONTHDAY.has(date) && !BYMONTHDAY.has(day - toDay(year, month, 1)))
      return false;
    if (
      BYYEARDAY !== null &&
      !BYYEARDAY.has(day - toDay(year, 0, 0)) &&
      !BYYEARDAY.has(day - toDay(year + 1, 0, 1))
    )
      return false;
    if (BYDAY !== null && !fitsWeekday(at)) return false;
    return BYWEEKNO === null || weekNumbersOf(day, WKST).some((week) => BYWEEKNO.has(week));
  };
}

/** The number of the week of a day, from the first and from the last one of its year: most of a week is in its year. */
function weekNumbersOf(day: number, weekStart: number): readonly [number, number] {
  const middle = day - ((weekdayOf(day) - weekStart + 7) % 7) + 3;
  const { year } = datePartsOf(middle);
  return [Math.ceil((middle - toDay(year, 0, 0)) / 7), -Math.ceil((toDay(year + 1, 0, 1) - middle) / 7)];
}
