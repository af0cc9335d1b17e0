import type { FieldType } from '@reachout/contract/content-fields.ts';
import { timeZone } from '@reachout/contract/values.ts';

/** A value as stored in `content_items.data`, or the reason why it is invalid. */
export type Checked = { value: JsonValue } | { reason: string };
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** Maximum length of a `string` value in characters; `text` allows more. */
const maxString = 65_536;
const maxText = 1_000_000;
/** Values of unique fields are index keys, which PostgreSQL limits to about 2,700 bytes. */
export const maxUniqueString = 255;

/**
 * Validates a value against its field type and converts it to its canonical stored form:
 * `date`, `dateTime`, `timestamp` and `time` have a fixed width, so that text order is chronological order;
 * `uuid` is lower case; `decimal` is text, because its digits must not pass through a binary number.
 * @param value  not null; null is always allowed and means "no value"
 */
export const checkValue = (type: FieldType, value: JsonValue): Checked => checks[type](value);

/** PostgreSQL cannot store NUL, and lone surrogates cannot be encoded. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** @returns `2026-03-01`, or undefined if the date does not exist. Years 1 to 9999. */
export function toDate(text: string): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return match !== null && isDay(match[1]!, match[2]!, match[3]!) ? text : undefined;
}

/** @returns `2026-03-01T08:00:00` without a zone; a value with an offset is converted to UTC */
export const toDateTime = (text: string): string | undefined => toTimestamp(text)?.slice(0, 19);

/** @returns `2026-03-01T08:00:00.000Z`; a value without a zone is read as UTC */
export function toTimestamp(text: string): string | undefined {
  const match = instantPattern.exec(text);
  if (match === null || !isDay(match[1]!, match[2]!, match[3]!)) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const parsed = new Date(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${zone === 'z' ? 'Z' : zone}`,
  );
  // Applying the offset may move the result outside the four-digit years.
  if (Number.isNaN(parsed.getTime()) || parsed.getUTCFullYear() < 1 || parsed.getUTCFullYear() > 9999) {
    return undefined;
  }
  return parsed.toISOString();
}

/**
 * Reads a time with the zone in which it was entered, as in RFC 9557: `2026-03-29T00:00:00+01:00[Europe/Berlin]`. The offset
 * says which instant it is, and the zone how to show it.
 * @returns the part before the zone; undefined without a known zone
 */
export function withoutZone(text: string): string | undefined {
  const [, time, zone] =
    /^(\d{4}-\d\d-\d\dT[\d:.]{5,18}(?:Z|[+-]\d\d:\d\d))\[([^\]]{1,64})\]$/.exec(text) ?? [];
  return zone !== undefined && timeZone.safeParse(zone).success ? time : undefined;
}

/** @returns the time as `08:00:00` */
export function toTime(text: string): string | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text);
  return match === null ? undefined : `${match[1]}:${match[2]}:${match[3] ?? '00'}`;
}

/** Whether the text is an integer or decimal in digits, at most 60 characters so that any arithmetic can handle it. */
export const isNumeral = (text: string): boolean => text.length <= 60 && /^-?\d+(?:\.\d+)?$/.test(text);

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const instantPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(Z|z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?$/;

function isDay(year: string, month: string, day: string): boolean {
  const days = daysOfMonth[Number(month) - 1] ?? 0;
  const isLeapDay = month === '02' && day === '29';
  if (year === '0000' || day === '00' || Number(day) > days) return false;
  return !isLeapDay || isLeapYear(Number(year));
}

const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const checks: Record<FieldType, (value: JsonValue) => Checked> = {
  string: (value) => checkText(value, maxString),
  text: (value) => checkText(value, maxText),
  integer: (value) => checkWhole(value, 2 ** 31),
  bigInteger: (value) => checkWhole(value, 2 ** 53),
  float: (value) => {
    const number = toNumber(value);
    return number === undefined ? { reason: 'Use a number.' } : { value: number };
  },
  decimal: (value) => {
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && isNumeral(text)
      ? { value: text }
      : { reason: 'Use a decimal number such as 12.50.' };
  },
  boolean: (value) => (typeof value === 'boolean' ? { value } : { reason: 'Use true or false.' }),
  date: (value) =>
    checkForm(
      value,
      (text) => (text.length === 10 ? toDate(text) : toTimestamp(text)?.slice(0, 10)),
      'Use a date such as 2026-03-31.',
    ),
  dateTime: (value) => checkForm(value, toDateTime, 'Use a date and time such as 2026-03-31T08:00:00.'),
  timestamp: (value) => checkForm(value, toTimestamp, 'Use a point in time such as 2026-03-31T08:00:00Z.'),
  time: (value) => checkForm(value, toTime, 'Use a time of day such as 08:30:00.'),
  uuid: (value) =>
    checkForm(value, (text) => (uuidPattern.test(text) ? text.toLowerCase() : undefined), 'Use a UUID.'),
  json: (value) =>
    isStorableDeep(value, 0)
      ? { value }
      : {
          reason: 'This can’t be stored: it contains NUL, an incomplete character, or is nested too deeply.',
        },
  csv: (value) =>
    Array.isArray(value) && value.every((entry) => typeof entry === 'string' && isStorable(entry))
      ? { value }
      : { reason: 'Use a list of strings.' },
};

function checkText(value: JsonValue, max: number): Checked {
  if (typeof value !== 'string') return { reason: 'Use text.' };
  if (value.length > max) return { reason: `Use at most ${max} characters.` };
  return isStorable(value) ? { value } : { reason: 'This contains characters that can’t be stored.' };
}

function checkWhole(value: JsonValue, limit: number): Checked {
  const number = toNumber(value);
  if (number === undefined || !Number.isInteger(number)) return { reason: 'Use a whole number.' };
  return number >= -limit && number < limit ? { value: number } : { reason: 'This number is too large.' };
}

function toNumber(value: JsonValue): number | undefined {
  const number = typeof value === 'string' && isNumeral(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function checkForm(value: JsonValue, toForm: (text: string) => string | undefined, reason: string): Checked {
  const form = typeof value === 'string' ? toForm(value) : undefined;
  return form === undefined ? { reason } : { value: form };
}

function isStorableDeep(value: JsonValue, depth: number): boolean {
  if (depth > 32) return false;
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, entry]) => isStorable(key) && isStorableDeep(entry, depth + 1));
}
