import type { FieldType } from '@reachout/contract/content-fields.ts';
import { randomUuid } from '#web/platform/random-uuid.ts';

/** A rule in the builder's format; `toRule` and `fromRule` convert to and from the content backend's filter language. */
export interface RuleGroup {
  kind: 'group';
  key: string;
  join: '_and' | '_or';
  members: RuleNode[];
}

export interface RuleCondition {
  kind: 'condition';
  key: string;
  field: string;
  operator: Operator;
  /** As typed. Operators without a value ignore it; `_between` uses `value` and `upper`. */
  value: string;
  upper: string;
  /** For a negative condition: whether items without a value match, too, and by which operator. */
  orEmpty?: EmptyOperator | undefined;
}

export type EmptyOperator = '_null' | '_empty';

export type RuleNode = RuleGroup | RuleCondition;

export const operators = [
  '_eq',
  '_neq',
  '_icontains',
  '_istarts_with',
  '_iends_with',
  '_in',
  '_nin',
  '_empty',
  '_nempty',
  '_null',
  '_nnull',
  '_lt',
  '_lte',
  '_gt',
  '_gte',
  '_between',
] as const;
export type Operator = (typeof operators)[number];

export type FieldKind = 'text' | 'number' | 'date' | 'boolean' | 'other';

/** Maximum nesting depth of groups, including the outermost. */
export const maxDepth = 3;

const kinds: Record<FieldType, FieldKind> = {
  string: 'text',
  text: 'text',
  csv: 'text',
  integer: 'number',
  bigInteger: 'number',
  float: 'number',
  decimal: 'number',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'date',
  timestamp: 'date',
  time: 'other',
  uuid: 'other',
  json: 'other',
};
export const kindOf = (type: FieldType): FieldKind => kinds[type];

/** Operators by kind of field, the most common first. */
export const operatorsOf: Record<FieldKind, readonly Operator[]> = {
  text: ['_eq', '_neq', '_icontains', '_istarts_with', '_iends_with', '_in', '_nin', '_empty', '_nempty'],
  number: ['_eq', '_neq', '_gt', '_gte', '_lt', '_lte', '_between', '_null', '_nnull'],
  date: ['_gte', '_gt', '_lte', '_lt', '_between', '_null', '_nnull'],
  boolean: ['_eq', '_null', '_nnull'],
  other: ['_null', '_nnull'],
};

export const needsNoValue = (operator: Operator): boolean =>
  operator === '_empty' || operator === '_nempty' || operator === '_null' || operator === '_nnull';

/**
 * Whether a condition says what a value is not, or what it is below: people may expect an empty value to match, but a comparison
 * with a field that has no value never matches. The server counts these (`contacts/audiences/without-value.ts`).
 */
export const isNegative = ({ operator, value }: Pick<RuleCondition, 'operator' | 'value'>): boolean =>
  ['_neq', '_nin', '_lt', '_lte'].includes(operator) || (operator === '_eq' && value === 'false');

/** The operator that finds the items without a value. */
export const emptyOperatorOf = (kind: FieldKind): EmptyOperator => (kind === 'text' ? '_empty' : '_null');

export const newGroup = (join: RuleGroup['join'] = '_and', members: RuleNode[] = []): RuleGroup => ({
  kind: 'group',
  key: randomUuid(),
  join,
  members,
});

export const newCondition = (field: string, kind: FieldKind): RuleCondition => ({
  kind: 'condition',
  key: randomUuid(),
  field,
  operator: operatorsOf[kind][0] ?? '_nnull',
  value: kind === 'boolean' ? 'true' : '',
  upper: '',
});

/** Whether a condition is complete; incomplete ones are not counted meanwhile. */
export function isComplete(condition: RuleCondition): boolean {
  if (condition.field === '') return false;
  if (needsNoValue(condition.operator)) return true;
  if (condition.operator === '_between')
    return condition.value.trim() !== '' && condition.upper.trim() !== '';
  return condition.value.trim() !== '';
}

/** @returns the fields used in a rule, at any depth */
export function fieldsOfRule(rule: Record<string, unknown>): ReadonlySet<string> {
  const names = Object.entries(rule).flatMap(([key, value]) =>
    (key === '_and' || key === '_or') && Array.isArray(value)
      ? value.flatMap((member: Record<string, unknown>) => [...fieldsOfRule(member)])
      : [key],
  );
  return new Set(names);
}

/** Keys of incomplete conditions: saved without them, the rule would match more people than it seems to. */
export const unfinishedKeys = (group: RuleGroup): string[] =>
  group.members.flatMap((node) =>
    node.kind === 'group' ? unfinishedKeys(node) : isComplete(node) ? [] : [node.key],
  );

/** Number of conditions in a rule; a rule that the builder cannot show counts as one. */
export const countConditions = (group: RuleGroup | undefined): number =>
  group === undefined
    ? 1
    : group.members.reduce((sum, node) => sum + (node.kind === 'group' ? countConditions(node) : 1), 0);

/** Converts to the server's format. `{}` matches everyone. */
export function toRule(group: RuleGroup, kindOfField: (field: string) => FieldKind): Record<string, unknown> {
  const members = group.members.flatMap((node): Record<string, unknown>[] => {
    if (node.kind === 'condition')
      return isComplete(node) ? [conditionRule(node, kindOfField(node.field))] : [];
    const nested = toRule(node, kindOfField);
    return Object.keys(nested).length === 0 ? [] : [nested];
  });
  return members.length === 0 ? {} : { [group.join]: members };
}

function conditionRule(condition: RuleCondition, kind: FieldKind): Record<string, unknown> {
  const { field, orEmpty } = condition;
  const compared = comparisonRule(condition, kind);
  return orEmpty === undefined || !isNegative(condition)
    ? compared
    : { _or: [compared, { [field]: { [orEmpty]: true } }] };
}

function comparisonRule(condition: RuleCondition, kind: FieldKind): Record<string, unknown> {
  const { field, operator, value, upper } = condition;
  if (needsNoValue(operator)) return { [field]: { [operator]: true } };
  const typed = (text: string) => typedValue(text.trim(), kind);
  if (operator === '_between') return { [field]: { _between: [typed(value), typed(upper)] } };
  if (operator === '_in' || operator === '_nin') {
    const values = value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
    return { [field]: { [operator]: values.map(typed) } };
  }
  return { [field]: { [operator]: typed(value) } };
}

function typedValue(text: string, kind: FieldKind): string | number | boolean {
  if (kind === 'boolean') return text === 'true';
  if (kind === 'number') {
    const number = Number(text.replace(',', '.'));
    return Number.isFinite(number) ? number : text;
  }
  return text;
}

/** Converts from the server's format; undefined if the rule uses features that the builder does not support. */
export function fromRule(rule: Record<string, unknown>): RuleGroup | undefined {
  const entries = Object.entries(rule);
  if (entries.length === 0) return newGroup();
  const [name, members] = entries[0] ?? ['', undefined];
  if (entries.length === 1 && (name === '_and' || name === '_or') && Array.isArray(members)) {
    const nodes: RuleNode[] = [];
    for (const member of members as unknown[]) {
      const node = nodeFrom(member);
      if (!node) return undefined;
      nodes.push(node);
    }
    return newGroup(name, nodes);
  }
  const single = nodeFrom(rule);
  return single?.kind === 'condition' ? newGroup('_and', [single]) : undefined;
}

function nodeFrom(value: unknown): RuleNode | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  const [name, inner] = entries[0] ?? ['', undefined];
  if (entries.length !== 1 || typeof inner !== 'object' || inner === null) return undefined;
  if (name === '_and' || name === '_or')
    return negativeOrEmpty(value as Record<string, unknown>) ?? fromRule(value as Record<string, unknown>);
  const comparisons = Object.entries(inner);
  const [operator, operand] = comparisons[0] ?? ['', undefined];
  const known = operators.find((entry) => entry === operator);
  // Functions of a Directus are numbers, whatever the type of their field.
  if (comparisons.length !== 1 || !known || name.includes('(')) return undefined;
  return conditionFrom(name, known, operand);
}

/** Reads what `conditionRule` writes for a negative condition that items without a value match, too. */
function negativeOrEmpty({ _or: members }: Record<string, unknown>): RuleCondition | undefined {
  if (!Array.isArray(members) || members.length !== 2) return undefined;
  const [compared, empty] = members.map((member) => nodeFrom(member));
  if (compared?.kind !== 'condition' || empty?.kind !== 'condition' || compared.field !== empty.field)
    return undefined;
  const { operator } = empty;
  // “Is no” is of a yes/no field; a text may be “false”, too.
  const isOfKind =
    compared.operator === '_eq' ? operator === '_null' : operator === '_null' || operator === '_empty';
  return isOfKind && isNegative(compared) ? { ...compared, orEmpty: operator as EmptyOperator } : undefined;
}

function conditionFrom(field: string, operator: Operator, operand: unknown): RuleCondition | undefined {
  const condition = { ...newCondition(field, 'text'), operator };
  if (needsNoValue(operator)) return operand === false ? undefined : condition;
  if (operator === '_between') {
    if (!Array.isArray(operand) || operand.length !== 2) return undefined;
    return { ...condition, value: String(operand[0]), upper: String(operand[1]) };
  }
  if (operator === '_in' || operator === '_nin') {
    return Array.isArray(operand) ? { ...condition, value: operand.map(String).join(', ') } : undefined;
  }
  if (typeof operand !== 'string' && typeof operand !== 'number' && typeof operand !== 'boolean')
    return undefined;
  return { ...condition, value: String(operand) };
}
