import type { FieldType } from '@reachout/contract/content-fields.ts';
import {
  isNumeral,
  isStorable,
  toDate,
  toDateTime,
  toTime,
  toTimestamp,
  uuidPattern,
  withoutZone,
} from './field-values.ts';
import { maxRuleText } from '@reachout/contract/rules/filter-rule-weight.ts';
import { type RulePath, fail } from './invalid-rule.ts';

/** A field that a rule can use: a field of the collection or a system column. */
export interface RuleField {
  name: string;
  type: FieldType;
}

/** A value in its stored form, or the database's current time plus or minus a duration. */
export type RuleValue = string | { now: Shift | undefined };

export interface Shift {
  amount: number;
  unit: 'year' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second';
}

/** Accepts a list, comma-separated text or a single value. */
export function splitList(operand: unknown): unknown[] {
  if (Array.isArray(operand)) return operand;
  return typeof operand === 'string' ? operand.split(',').map((entry) => entry.trim()) : [operand];
}

export function parseText(operand: unknown, path: RulePath): string {
  const text = typeof operand === 'number' ? String(operand) : operand;
  if (typeof text !== 'string') return fail(path, 'Use a text.');
  if (text.length > maxRuleText) return fail(path, `Use at most ${maxRuleText} characters.`);
  if (!isStorable(text)) return fail(path, 'This text contains characters that no item can have.');
  return text;
}

const toForm: Record<Exclude<FieldType, 'json'>, (text: string) => string | undefined> = {
  string: (text) => text,
  text: (text) => text,
  csv: (text) => text,
  integer: toNumeral,
  bigInteger: toNumeral,
  float: toNumeral,
  decimal: toNumeral,
  boolean: (text) => (text === 'true' || text === 'false' ? text : undefined),
  date: (text) => toTimestamp(text)?.slice(0, 10) ?? toDate(text),
  dateTime: toDateTime,
  timestamp: toTimestamp,
  time: toTime,
  uuid: (text) => (uuidPattern.test(text) ? text.toLowerCase() : undefined),
};

/** Accepts digits, and an exponent because JavaScript writes numbers such as 1e21 and 1e-7 with one. */
function toNumeral(text: string): string | undefined {
  if (isNumeral(text)) return text;
  return /^-?\d+(?:\.\d+)?e[+-]?\d{1,3}$/i.test(text) && Number.isFinite(Number(text)) ? text : undefined;
}

const clocks: readonly FieldType[] = ['date', 'dateTime', 'timestamp', 'time'];

export function parseValue(field: RuleField, operand: unknown, path: RulePath): RuleValue {
  if (typeof operand !== 'string' && typeof operand !== 'number' && typeof operand !== 'boolean') {
    return fail(path, 'Use a single value.');
  }
  const text = parseText(typeof operand === 'boolean' ? String(operand) : operand, path);
  if (text === '') return fail(path, 'An empty text cannot be compared. Use _empty or _nempty.');
  if (text.startsWith('$NOW') && clocks.includes(field.type)) return { now: parseShift(text, path) };
  if (/^\$CURRENT_(?:USER|ROLE|ROLES|POLICIES)\b/.test(text)) return fail(path, `${text} is not supported.`);
  // The type `json` has no operator that takes a value.
  const value = clocks.includes(field.type) ? (withoutZone(text) ?? text) : text;
  const form = toForm[field.type as Exclude<FieldType, 'json'>](value);
  return form ?? fail(path, `This is not a value of the type ${field.type}.`);
}

const unitsPerYear: Record<Shift['unit'], number> = {
  year: 1,
  month: 12,
  week: 53,
  day: 366,
  hour: 366 * 24,
  minute: 366 * 24 * 60,
  second: 366 * 24 * 3_600,
};

const isUnit = (text: string): text is Shift['unit'] => Object.hasOwn(unitsPerYear, text);

/** Parses `$NOW`, `$NOW(-1 day)`, `$NOW(+2 weeks)`; at most 1,000 years, so that years keep four digits. */
function parseShift(text: string, path: RulePath): Shift | undefined {
  if (text === '$NOW') return undefined;
  const match = /^\$NOW\(\s*([+-]?\d{1,11})\s*([a-z]+?)s?\s*\)$/.exec(text);
  const unit = match?.[2] ?? '';
  if (match === null || !isUnit(unit)) return fail(path, 'Use $NOW or, for example, $NOW(-1 day).');
  const amount = Number(match[1]);
  if (Math.abs(amount) > 1_000 * unitsPerYear[unit]) return fail(path, 'Use at most a thousand years.');
  return { amount, unit };
}
