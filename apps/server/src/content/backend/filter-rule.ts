import type { FieldType } from '@reachout/contract/content.ts';
import {
  isNumeral,
  isStorable,
  toDate,
  toDateTime,
  toTime,
  toTimestamp,
  uuidPattern,
  type JsonValue,
} from './field-values.ts';
import {
  conditionWeight,
  maxRuleListLength,
  maxRuleText,
  maxRuleWeight,
  textConditionWeight,
  valuesPerWeight,
} from '@reachout/contract/rules/filter-rule-weight.ts';

const maxDepth = 10;

/** The fields of a rule: those of a collection, and the columns that every item has. */
export interface RuleField {
  name: string;
  type: FieldType;
}

/** A value in the form in which it is stored, or the database's clock plus or minus a while. */
export type RuleValue = string | { now: Shift | undefined };
export interface Shift {
  amount: number;
  unit: 'year' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second';
}

/** A rule whose fields, operators and values fit together. Nothing in it is text from outside that acts as SQL. */
export type RuleNode =
  | { kind: 'all' | 'any'; nodes: RuleNode[] }
  | { kind: 'nothing' }
  | { kind: 'null' | 'empty'; field: RuleField; negated: boolean }
  | { kind: 'compare'; field: RuleField; operator: Comparison; value: RuleValue }
  | { kind: 'in'; field: RuleField; negated: boolean; values: RuleValue[] }
  | { kind: 'between'; field: RuleField; negated: boolean; low: RuleValue; high: RuleValue }
  | { kind: 'text'; field: RuleField; match: TextMatch; ignoreCase: boolean; negated: boolean; text: string };
export type Comparison = 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte';
export type TextMatch = 'contains' | 'starts_with' | 'ends_with';

/** A rule that cannot be used. `path` leads to the place in the rule: `_and.0.age._gt`; empty means the whole rule. */
export class InvalidRule extends Error {
  readonly path: string;
  readonly reason: string;
  /** The rule is too heavy: docs/audiences.md, "Limits". */
  readonly isTooHeavy: boolean;
  readonly isUnknownField: boolean;

  constructor(path: string, reason: string, { isTooHeavy = false, isUnknownField = false } = {}) {
    super(path === '' ? reason : `${path}: ${reason}`);
    this.path = path;
    this.reason = reason;
    this.isTooHeavy = isTooHeavy;
    this.isUnknownField = isUnknownField;
  }
}

/** The columns that every item has beside its fields. */
export const systemFields = [
  { name: 'id', type: 'uuid' },
  { name: 'user_created', type: 'uuid' },
  { name: 'date_created', type: 'timestamp' },
  { name: 'date_updated', type: 'timestamp' },
] as const satisfies RuleField[];

/**
 * Reads a rule of the filter language of content backends and checks it against the fields: which operators a type has,
 * and whether the values are of it. Relations, functions and `$CURRENT_…` are not part of the built-in backend's
 * language. One thing is stricter than in Directus, which ignores a `_between` without two values: a clause that falls
 * away unnoticed would mail everybody.
 * @throws InvalidRule
 */
export function parseRule(rule: unknown, fields: readonly RuleField[]): RuleNode {
  const known = new Map([...systemFields, ...fields].map((field) => [field.name, field]));
  const parser: Parser = { known, weightLeft: maxRuleWeight };
  if (Array.isArray(rule) && rule.length === 0) return { kind: 'all', nodes: [] };
  return parseGroup(parser, rule, [], 1);
}

interface Parser {
  known: Map<string, RuleField>;
  weightLeft: number;
}
type Path = readonly (string | number)[];

function fail(path: Path, reason: string): never {
  throw new InvalidRule(path.join('.'), reason);
}

function spend(parser: Parser, path: Path, depth: number): void {
  if (depth > maxDepth) fail(path, `A rule has at most ${maxDepth} levels.`);
  weigh(parser, path, conditionWeight);
}

function weigh(parser: Parser, path: Path, weight: number): void {
  parser.weightLeft -= weight;
  if (parser.weightLeft >= 0) return;
  throw new InvalidRule(
    path.join('.'),
    `This rule has too many conditions. Groups and comparisons count once, searches within texts ${textConditionWeight} times, long lists once for every ${valuesPerWeight} values; the limit is ${maxRuleWeight}.`,
    { isTooHeavy: true },
  );
}

/** Several keys side by side mean "and". */
function parseGroup(parser: Parser, group: unknown, path: Path, depth: number): RuleNode {
  if (!isObject(group)) fail(path, 'Use an object with fields, _and or _or.');
  spend(parser, path, depth);
  return allOf(
    Object.entries(group).map(([key, value]) => {
      const here = [...path, key];
      if (key === '_and' || key === '_or') {
        return parseList(parser, key, value, here, (entry, at) => parseGroup(parser, entry, at, depth + 1));
      }
      return parseField(parser, fieldNamed(parser, key, here), value, here, depth);
    }),
  );
}

function parseList(
  parser: Parser,
  key: '_and' | '_or',
  list: unknown,
  path: Path,
  parseEntry: (entry: unknown, path: Path) => RuleNode,
): RuleNode {
  if (!Array.isArray(list)) fail(path, `${key} takes a list.`);
  // An empty `_or` matches everything, as in Directus.
  if (list.length === 0) return { kind: 'all', nodes: [] };
  if (list.length > parser.weightLeft) weigh(parser, path, list.length);
  const nodes = list.map((entry, index) => parseEntry(entry, [...path, index]));
  return { kind: key === '_and' ? 'all' : 'any', nodes };
}

function fieldNamed(parser: Parser, name: string, path: Path): RuleField {
  const field = parser.known.get(name);
  if (field !== undefined) return field;
  if (name.startsWith('_')) return fail(path, `There is no operator ${name} here.`);
  if (name.includes('(')) return fail(path, 'Functions are not supported.');
  throw new InvalidRule(path.join('.'), 'There is no such field in this collection.', {
    isUnknownField: true,
  });
}

/** `{ "_gt": 3, "_lt": 9 }`, the short form `3`, or groups inside a field. */
function parseField(parser: Parser, field: RuleField, value: unknown, path: Path, depth: number): RuleNode {
  if (!isObject(value)) {
    if (value === null || Array.isArray(value)) fail(path, 'Say how to compare, for example {"_eq": …}.');
    return parseOperator(parser, field, '_eq', value, path, depth);
  }
  const entries = Object.entries(value);
  if (entries.length === 0) fail(path, 'Say how to compare, for example {"_eq": …}.');
  return allOf(
    entries.map(([key, operand]) => {
      const here = [...path, key];
      if (key === '_and' || key === '_or') {
        spend(parser, here, depth + 1);
        return parseList(parser, key, operand, here, (entry, at) =>
          parseField(parser, field, entry, at, depth + 1),
        );
      }
      if (!key.startsWith('_')) fail(here, 'Relations are not supported.');
      return parseOperator(parser, field, key, operand, here, depth);
    }),
  );
}

const allOf = (nodes: RuleNode[]): RuleNode => (nodes.length === 1 ? nodes[0]! : { kind: 'all', nodes });

const textOperators: Record<string, Omit<Extract<RuleNode, { kind: 'text' }>, 'kind' | 'field' | 'text'>> = {
  _contains: { match: 'contains', ignoreCase: false, negated: false },
  _ncontains: { match: 'contains', ignoreCase: false, negated: true },
  _icontains: { match: 'contains', ignoreCase: true, negated: false },
  _starts_with: { match: 'starts_with', ignoreCase: false, negated: false },
  _nstarts_with: { match: 'starts_with', ignoreCase: false, negated: true },
  _istarts_with: { match: 'starts_with', ignoreCase: true, negated: false },
  _nistarts_with: { match: 'starts_with', ignoreCase: true, negated: true },
  _ends_with: { match: 'ends_with', ignoreCase: false, negated: false },
  _nends_with: { match: 'ends_with', ignoreCase: false, negated: true },
  _iends_with: { match: 'ends_with', ignoreCase: true, negated: false },
  _niends_with: { match: 'ends_with', ignoreCase: true, negated: true },
};

const equality = ['_eq', '_neq'];
const lists = ['_in', '_nin'];
const nullness = ['_null', '_nnull'];
const emptiness = ['_empty', '_nempty'];
const ofText = [...equality, ...lists, ...nullness, ...emptiness, ...Object.keys(textOperators)];
const ordered = [...equality, '_lt', '_lte', '_gt', '_gte', '_between', '_nbetween', ...lists, ...nullness];

/** As in Directus: order only where values have one, emptiness only where a value can be an empty text. */
export const operatorsByType: Record<FieldType, readonly string[]> = {
  string: ofText,
  text: ofText,
  csv: ofText,
  integer: ordered,
  bigInteger: ordered,
  float: ordered,
  decimal: ordered,
  date: ordered,
  dateTime: ordered,
  time: ordered,
  timestamp: [...ordered, '_contains', '_ncontains', ...emptiness],
  uuid: [...equality, ...lists, ...nullness],
  boolean: [...equality, ...nullness],
  json: nullness,
};

const knownOperators = new Set(Object.values(operatorsByType).flat());

function parseOperator(
  parser: Parser,
  field: RuleField,
  operator: string,
  operand: unknown,
  path: Path,
  depth: number,
): RuleNode {
  spend(parser, path, depth);
  if (!operatorsByType[field.type].includes(operator)) {
    fail(
      path,
      knownOperators.has(operator)
        ? `Fields of type ${field.type} do not have the operator ${operator}.`
        : `There is no operator ${operator}.`,
    );
  }
  if (nullness.includes(operator) || emptiness.includes(operator)) {
    const negated = operator.startsWith('_n') && operator !== '_null';
    const kind = nullness.includes(operator) ? 'null' : 'empty';
    return { kind, field, negated: parseSwitch(operand, path) ? negated : !negated };
  }
  if (operand === '' && !lists.includes(operator)) {
    fail(path, 'An empty text cannot be compared. Use _empty or _nempty.');
  }
  const textOperator = textOperators[operator];
  if (textOperator !== undefined) {
    weigh(parser, path, textConditionWeight - conditionWeight);
    return { kind: 'text', field, ...textOperator, text: parseText(operand, path) };
  }
  if (lists.includes(operator)) return parseIn(parser, field, operator === '_nin', operand, path);
  if (operator === '_between' || operator === '_nbetween') {
    const [low, high, ...more] = splitList(operand);
    if (low === undefined || high === undefined || more.length > 0) fail(path, 'Use two values: [from, to].');
    return {
      kind: 'between',
      field,
      negated: operator === '_nbetween',
      low: parseValue(field, low, [...path, 0]),
      high: parseValue(field, high, [...path, 1]),
    };
  }
  if (operand === null && equality.includes(operator)) {
    return { kind: 'null', field, negated: operator === '_neq' };
  }
  const value = parseValue(field, operand, path);
  return { kind: 'compare', field, operator: operator.slice(1) as Comparison, value };
}

/** The operand of `_null` and its like: `false` turns them around. */
function parseSwitch(operand: unknown, path: Path): boolean {
  if (operand === true || operand === 'true' || operand === '' || operand === null) return true;
  if (operand === false || operand === 'false') return false;
  return fail(path, 'Use true or false.');
}

function parseIn(parser: Parser, field: RuleField, negated: boolean, operand: unknown, path: Path): RuleNode {
  if (operand === '') return { kind: 'nothing' };
  const values = splitList(operand);
  if (values.length === 0) fail(path, 'Use at least one value.');
  if (values.length > maxRuleListLength) fail(path, `Use at most ${maxRuleListLength} values.`);
  weigh(parser, path, Math.floor(values.length / valuesPerWeight));
  return {
    kind: 'in',
    field,
    negated,
    values: values.map((value, index) => parseValue(field, value, [...path, index])),
  };
}

/** A list, the same as text with commas, or a single value. */
function splitList(operand: unknown): unknown[] {
  if (Array.isArray(operand)) return operand;
  return typeof operand === 'string' ? operand.split(',').map((entry) => entry.trim()) : [operand];
}

function parseText(operand: unknown, path: Path): string {
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

/** Digits only: JavaScript writes 1e21 and 1e-7 with an exponent. */
function toNumeral(text: string): string | undefined {
  if (isNumeral(text)) return text;
  return /^-?\d+(?:\.\d+)?e[+-]?\d{1,3}$/i.test(text) && Number.isFinite(Number(text)) ? text : undefined;
}

const clocks: readonly FieldType[] = ['date', 'dateTime', 'timestamp', 'time'];

function parseValue(field: RuleField, operand: unknown, path: Path): RuleValue {
  if (typeof operand !== 'string' && typeof operand !== 'number' && typeof operand !== 'boolean') {
    return fail(path, 'Use a single value.');
  }
  const text = parseText(typeof operand === 'boolean' ? String(operand) : operand, path);
  if (text === '') return fail(path, 'An empty text cannot be compared. Use _empty or _nempty.');
  if (text.startsWith('$NOW') && clocks.includes(field.type)) return { now: parseShift(text, path) };
  if (/^\$CURRENT_(?:USER|ROLE|ROLES|POLICIES)\b/.test(text)) return fail(path, `${text} is not supported.`);
  // The type `json` has no operator with a value.
  const form = toForm[field.type as Exclude<FieldType, 'json'>](text);
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

/** `$NOW`, `$NOW(-1 day)`, `$NOW(+2 weeks)`; at most a thousand years, so that years keep four digits. */
function parseShift(text: string, path: Path): Shift | undefined {
  if (text === '$NOW') return undefined;
  const match = /^\$NOW\(\s*([+-]?\d{1,11})\s*([a-z]+?)s?\s*\)$/.exec(text);
  const unit = match?.[2] ?? '';
  if (match === null || !isUnit(unit)) return fail(path, 'Use $NOW or, for example, $NOW(-1 day).');
  const amount = Number(match[1]);
  if (Math.abs(amount) > 1_000 * unitsPerYear[unit]) return fail(path, 'Use at most a thousand years.');
  return { amount, unit };
}

const isObject = (value: unknown): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
