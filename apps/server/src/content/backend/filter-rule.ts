import type { JsonValue } from './field-values.ts';
import {
  conditionWeight,
  maxRuleListLength,
  maxRuleWeight,
  textConditionWeight,
  valuesPerWeight,
} from '@reachout/contract/rules/filter-rule-weight.ts';
import { type RuleField, type RuleValue, splitList, parseText, parseValue } from './rule-values.ts';
import { InvalidRule, type RulePath, fail } from './invalid-rule.ts';
import {
  textOperators,
  equality,
  lists,
  nullness,
  emptiness,
  operatorsByType,
  knownOperators,
  type TextMatch,
} from './rule-operators.ts';

const maxDepth = 10;

/** A validated rule: fields, operators and values match. It contains no external text that is used as SQL. */
export type RuleNode =
  | { kind: 'all' | 'any'; nodes: RuleNode[] }
  | { kind: 'nothing' }
  | { kind: 'null' | 'empty'; field: RuleField; negated: boolean }
  | { kind: 'compare'; field: RuleField; operator: Comparison; value: RuleValue }
  | { kind: 'in'; field: RuleField; negated: boolean; values: RuleValue[] }
  | { kind: 'between'; field: RuleField; negated: boolean; low: RuleValue; high: RuleValue }
  | { kind: 'text'; field: RuleField; match: TextMatch; ignoreCase: boolean; negated: boolean; text: string };
export type Comparison = 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte';

/** Columns that every item has besides its fields. */
export const systemFields = [
  { name: 'id', type: 'uuid' },
  { name: 'user_created', type: 'uuid' },
  { name: 'date_created', type: 'timestamp' },
  { name: 'date_updated', type: 'timestamp' },
] as const satisfies RuleField[];

/**
 * Parses a rule in the filter language of content backends and validates its operators and values against the field types.
 * The built-in backend does not support relations, functions or `$CURRENT_ROLE`. In one point it is stricter than Directus,
 * which ignores a `_between` without two values: a silently dropped clause would send to every contact.
 * @param currentUser  the user that `$CURRENT_USER` stands for; stored rules have none
 * @throws InvalidRule
 */
export function parseRule(rule: unknown, fields: readonly RuleField[], currentUser?: string): RuleNode {
  const known = new Map([...systemFields, ...fields].map((field) => [field.name, field]));
  const parser: Parser = { known, weightLeft: maxRuleWeight, currentUser };
  if (Array.isArray(rule) && rule.length === 0) return { kind: 'all', nodes: [] };
  return parseGroup(parser, rule, [], 1);
}

interface Parser {
  known: Map<string, RuleField>;
  weightLeft: number;
  currentUser: string | undefined;
}

function spend(parser: Parser, path: RulePath, depth: number): void {
  if (depth > maxDepth) fail(path, `A rule has at most ${maxDepth} levels.`);
  weigh(parser, path, conditionWeight);
}

function weigh(parser: Parser, path: RulePath, weight: number): void {
  parser.weightLeft -= weight;
  if (parser.weightLeft >= 0) return;
  throw new InvalidRule(
    path.join('.'),
    `This rule has too many conditions. Groups and comparisons count once, searches within texts ${textConditionWeight} times, long lists once for every ${valuesPerWeight} values; the limit is ${maxRuleWeight}.`,
    { isTooHeavy: true },
  );
}

/** Several keys in one object are combined with "and". */
function parseGroup(parser: Parser, group: unknown, path: RulePath, depth: number): RuleNode {
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
  path: RulePath,
  parseEntry: (entry: unknown, path: RulePath) => RuleNode,
): RuleNode {
  if (!Array.isArray(list)) fail(path, `${key} takes a list.`);
  // An empty `_or` matches everything, as in Directus.
  if (list.length === 0) return { kind: 'all', nodes: [] };
  if (list.length > parser.weightLeft) weigh(parser, path, list.length);
  const nodes = list.map((entry, index) => parseEntry(entry, [...path, index]));
  return { kind: key === '_and' ? 'all' : 'any', nodes };
}

function fieldNamed(parser: Parser, name: string, path: RulePath): RuleField {
  const field = parser.known.get(name);
  if (field !== undefined) return field;
  if (name.startsWith('_')) return fail(path, `There is no operator ${name} here.`);
  if (name.includes('(')) return fail(path, 'Functions are not supported.');
  throw new InvalidRule(path.join('.'), 'There is no such field in this collection.', {
    isUnknownField: true,
  });
}

/** `{ "_gt": 3, "_lt": 9 }`, the short form `3`, or groups inside a field. */
function parseField(
  parser: Parser,
  field: RuleField,
  value: unknown,
  path: RulePath,
  depth: number,
): RuleNode {
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

function parseOperator(
  parser: Parser,
  field: RuleField,
  operator: string,
  operand: unknown,
  path: RulePath,
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
  const value = valueOf(parser, field, operand, path);
  return { kind: 'compare', field, operator: operator.slice(1) as Comparison, value };
}

/** Parses the operand of `_null`, `_empty` and their negations; `false` inverts the operator. */
function parseSwitch(operand: unknown, path: RulePath): boolean {
  if (operand === true || operand === 'true' || operand === '' || operand === null) return true;
  if (operand === false || operand === 'false') return false;
  return fail(path, 'Use true or false.');
}

function parseIn(
  parser: Parser,
  field: RuleField,
  negated: boolean,
  operand: unknown,
  path: RulePath,
): RuleNode {
  // For an empty text, Directus matches nothing with `_in`, and everything with `_nin`, which is therefore rejected.
  if (operand === '' && !negated) return { kind: 'nothing' };
  const values = operand === '' ? [] : splitList(operand);
  if (values.length === 0) fail(path, 'Use at least one value.');
  if (values.length > maxRuleListLength) fail(path, `Use at most ${maxRuleListLength} values.`);
  weigh(parser, path, Math.floor(values.length / valuesPerWeight));
  return {
    kind: 'in',
    field,
    negated,
    values: values.map((value, index) => valueOf(parser, field, value, [...path, index])),
  };
}

const valueOf = ({ currentUser }: Parser, field: RuleField, operand: unknown, path: RulePath): RuleValue =>
  currentUser !== undefined && field.type === 'uuid' && operand === '$CURRENT_USER'
    ? currentUser
    : parseValue(field, operand, path);

export const isObject = (value: unknown): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
