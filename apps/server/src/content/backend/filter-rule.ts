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
  ruleFunctions,
  type TextMatch,
} from './rule-operators.ts';

const maxDepth = 10;

/** A validated rule: fields, operators and values match. It contains no external text that is used as SQL. */
export type RuleNode =
  | { kind: 'all' | 'any'; nodes: RuleNode[] }
  | { kind: 'nothing' }
  /** A condition that only a remote content backend can evaluate. */
  | { kind: 'remote' }
  | { kind: 'null' | 'empty'; field: RuleField; negated: boolean }
  | { kind: 'compare'; field: RuleField; operator: Comparison; value: RuleValue }
  | { kind: 'in'; field: RuleField; negated: boolean; values: RuleValue[] }
  | { kind: 'between'; field: RuleField; negated: boolean; low: RuleValue; high: RuleValue }
  | { kind: 'text'; field: RuleField; match: TextMatch; ignoreCase: boolean; negated: boolean; text: string };
export type Comparison = 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte';

/** The items that a relation leads to, and their own relations. */
export interface Related {
  /** Whether there may be several: Directus calls it one-to-many. */
  isList: boolean;
  fields: readonly RuleField[];
  relate: Relate;
}

/** Finds a relation by the name of its field; a text says why a rule cannot use it. */
export type Relate = (name: string) => Related | string | undefined;

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
 * @param relate  only for a Directus: allows its functions and relations, which become `remote`
 * @throws InvalidRule
 */
export function parseRule(
  rule: unknown,
  fields: readonly RuleField[],
  { currentUser, relate }: { currentUser?: string | undefined; relate?: Relate | undefined } = {},
): RuleNode {
  const known = byName([...systemFields, ...fields]);
  const parser: Parser = { known, budget: { weightLeft: maxRuleWeight }, currentUser, relate };
  if (Array.isArray(rule) && rule.length === 0) return { kind: 'all', nodes: [] };
  return parseGroup(parser, rule, [], 1);
}

interface Parser {
  known: Map<string, RuleField>;
  /** Shared by the parsers of all collections of a rule. */
  budget: { weightLeft: number };
  currentUser: string | undefined;
  relate: Relate | undefined;
}

const byName = (fields: readonly RuleField[]) => new Map(fields.map((field) => [field.name, field]));

function spend(parser: Parser, path: RulePath, depth: number): void {
  if (depth > maxDepth) fail(path, `A rule has at most ${maxDepth} levels.`);
  weigh(parser, path, conditionWeight);
}

function weigh(parser: Parser, path: RulePath, weight: number): void {
  parser.budget.weightLeft -= weight;
  if (parser.budget.weightLeft >= 0) return;
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
      const related = parser.relate?.(key);
      if (related !== undefined && isObject(value))
        return parseRelated(parser, { name: key, related }, value, here, depth);
      const field = fieldNamed(parser, key, here);
      const node = parseField(parser, field, value, here, depth);
      return field.name.includes('(') ? { kind: 'remote' } : node;
    }),
  );
}

/**
 * A condition on related items: `{ "country": { "_eq": "DE" } }` or `{ "_some": … }`, or one on the stored key.
 * Directus ignores groups without conditions, so they are rejected.
 */
function parseRelated(
  parser: Parser,
  relation: { name: string; related: Related | string },
  value: Record<string, unknown>,
  path: RulePath,
  depth: number,
): RuleNode {
  const { name, related } = relation;
  const entries = Object.entries(value);
  if (entries.length === 0) fail(path, 'Say how to compare, for example {"_eq": …}.');
  const parseItems = (group: unknown, at: RulePath): void => {
    if (typeof related === 'string') fail(at, related);
    const inner = { ...parser, known: byName(related.fields), relate: related.relate };
    if (!hasCondition(parseGroup(inner, group, at, depth + 1)))
      fail(at, 'Say what the related items have: without a condition, this would match all.');
  };
  for (const [key, operand] of entries) {
    const here = [...path, key];
    if (key === '_and' || key === '_or') {
      spend(parser, here, depth + 1);
      if (Array.isArray(operand) && operand.length === 0)
        fail(here, `${key} takes at least one condition here.`);
      parseList(parser, key, operand, here, (entry, at) =>
        isObject(entry)
          ? parseRelated(parser, relation, entry, at, depth + 1)
          : fail(at, 'Use an object with fields, _and or _or.'),
      );
    } else if (key === '_some' || key === '_none') {
      if (typeof related !== 'string' && !related.isList)
        fail(here, `${name} is one item: name its fields without ${key}.`);
      if (entries.length > 1) fail(path, `${key} stands alone. Combine it with others by _and or _or.`);
      spend(parser, here, depth);
      parseItems(operand, here);
    } else if (!key.startsWith('_')) {
      parseItems({ [key]: operand }, path);
    } else if (parser.known.has(name)) {
      parseOperator(parser, fieldNamed(parser, name, path), key, operand, here, depth);
    } else {
      fail(here, `${name} is a list of items: use _some, _none, count(${name}) or their fields.`);
    }
  }
  return { kind: 'remote' };
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
  if (list.length > parser.budget.weightLeft) weigh(parser, path, list.length);
  const nodes = list.map((entry, index) => parseEntry(entry, [...path, index]));
  return { kind: key === '_and' ? 'all' : 'any', nodes };
}

function fieldNamed(parser: Parser, name: string, path: RulePath): RuleField {
  const field = parser.known.get(name);
  if (field !== undefined) return field;
  if (name.startsWith('_')) return fail(path, `There is no operator ${name} here.`);
  if (name.includes('(')) return functionNamed(parser, name, path);
  throw new InvalidRule(
    path.join('.'),
    parser.relate === undefined
      ? 'There is no such field in this collection.'
      : 'There is no such field in this collection. For a list of related items, the token of the platform must be able to read directus_relations.',
    { isUnknownField: true },
  );
}

/** A number that a Directus computes, such as `year(birthday)` or `count(orders)`. */
function functionNamed({ known, relate }: Parser, text: string, path: RulePath): RuleField {
  if (relate === undefined) return fail(path, 'Functions are not supported.');
  const [, name = '', of = ''] = /^([a-z]+)\((\w+)\)$/.exec(text) ?? [];
  const types = ruleFunctions.get(name);
  if (types === undefined)
    return fail(path, `There is no such function. There are ${[...ruleFunctions.keys()].join(', ')}.`);
  const related = name === 'count' ? relate(of) : undefined;
  if (typeof related === 'string') return fail(path, related);
  const type = known.get(of)?.type;
  if (related?.isList === true || (type !== undefined && types.includes(type)))
    return { name: text, type: 'integer' };
  return fail(
    path,
    `${name} takes the name of ${name === 'count' ? 'a list' : 'a field with a date or time'}.`,
  );
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
      if (!key.startsWith('_'))
        fail(
          here,
          parser.relate === undefined
            ? 'Relations are not supported. Only a connected Directus has them.'
            : `${field.name} is not a relation.`,
        );
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

/** Whether a rule has a condition. Without one, it matches all items. */
export function hasCondition(node: RuleNode): boolean {
  if (node.kind === 'all') return node.nodes.some(hasCondition);
  if (node.kind === 'any') return node.nodes.length > 0 && node.nodes.every(hasCondition);
  return true;
}

const valueOf = ({ currentUser }: Parser, field: RuleField, operand: unknown, path: RulePath): RuleValue =>
  currentUser !== undefined && field.type === 'uuid' && operand === '$CURRENT_USER'
    ? currentUser
    : parseValue(field, operand, path);

export const isObject = (value: unknown): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
