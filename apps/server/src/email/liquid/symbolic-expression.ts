import { evalQuotedToken, TypeGuards, type Value } from 'liquidjs';
import { allOf, anyOf, constant, notOf, unknownTest, type ContactTest } from '../merge-tags.ts';
import { stringify } from './capped-emitter.ts';
import { sanitizeRichText } from './rich-text.ts';
import { isEqual, isTruthy, type Comparand, type SymbolicValue } from './symbolic-value.ts';

/** The variables at a place of a template: assigned ones, and those that all recipients share. */
export interface SymbolicScope {
  assigned: ReadonlyMap<string, SymbolicValue>;
  shared: Readonly<Record<string, unknown>>;
}

type Token = Value['initial']['postfix'][number];
type Filters = readonly { name: string; args: readonly unknown[] }[];

/** Evaluates a value with filters, such as `{{ contact.name | default: "there" }}`. */
export const evaluate = (value: Pick<Value, 'initial' | 'filters'>, scope: SymbolicScope): SymbolicValue =>
  evaluateFiltered(value.initial.postfix, value.filters, scope);

/** Whether a condition is met. */
export function evaluateCondition(value: Value, scope: SymbolicScope): ContactTest {
  if (value.filters.length > 0) return isTruthy(evaluate(value, scope));
  return truthOf(evaluatePostfix(value.initial.postfix, scope));
}

/** Whether `case` renders a branch: its value equals that of the `when`. */
export const evaluateWhen = (value: Value, when: Token, scope: SymbolicScope): ContactTest =>
  compare({ value: evaluate(value, scope) }, operandOf(when, scope));

export function evaluateToken(token: unknown, scope: SymbolicScope): SymbolicValue {
  if (TypeGuards.isQuotedToken(token)) return { kind: 'shared', value: evalQuotedToken(token) };
  if (TypeGuards.isNumberToken(token)) return { kind: 'shared', value: token.content };
  if (TypeGuards.isLiteralToken(token))
    return {
      kind: 'shared',
      value: token.literal === 'true' ? true : token.literal === 'false' ? false : null,
    };
  if (TypeGuards.isRangeToken(token)) return { kind: 'filled' };
  if (TypeGuards.isFilteredValueToken(token))
    return evaluateFiltered(token.initial.postfix, token.filters, scope);
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) return { kind: 'unknown' };
  const [root, ...path] = token.props.map((prop) =>
    TypeGuards.isWordToken(prop) || TypeGuards.isQuotedToken(prop) || TypeGuards.isNumberToken(prop)
      ? String(prop.content)
      : undefined,
  );
  return root === undefined || !path.every((name) => name !== undefined)
    ? { kind: 'unknown' }
    : readVariable(root, path, scope);
}

/** Liquid computes these for any list, text or object. */
const computedNames = new Set(['size', 'first', 'last']);

function readVariable(root: string, path: string[], { assigned, shared }: SymbolicScope): SymbolicValue {
  const value = assigned.get(root);
  if (value !== undefined) return descend(value, path);
  if (root === 'contact')
    return path.length === 0 ? { kind: 'unknown' } : descend({ kind: 'field', path: [] }, path);
  if (root === 'links' || root === 'forloop' || root === 'tablerowloop') return { kind: 'filled' };
  return descend({ kind: 'shared', value: shared, path: [] }, [root, ...path]);
}

function descend(value: SymbolicValue, path: string[]): SymbolicValue {
  if (path.length === 0) return value;
  switch (value.kind) {
    case 'field':
      return path.some((name) => computedNames.has(name))
        ? { kind: 'unknown' }
        : { kind: 'field', path: [...value.path, ...path] };
    case 'shared': {
      const [name = '', ...rest] = path;
      if (Array.isArray(value.value) || (typeof value.value === 'string' && computedNames.has(name)))
        return { kind: 'filled' };
      const isOwn =
        typeof value.value === 'object' && value.value !== null && Object.hasOwn(value.value, name);
      const inner = isOwn ? (value.value as Record<string, unknown>)[name] : undefined;
      return descend(
        { kind: 'shared', value: inner, ...(value.path && { path: [...value.path, name] }) },
        rest,
      );
    }
    default:
      return value.kind === 'filled' ? value : { kind: 'unknown' };
  }
}

/** Filters whose result is not empty even for an empty value, so that a later `default` replaces nothing. */
const fillingFilters = new Set(
  (
    'append prepend size json jsonify inspect to_integer ' +
    'plus minus times divided_by modulo abs ceil floor round at_least at_most'
  ).split(' '),
);

/** Maximum depth of nested fallbacks; deeper values are unknown. */
const maxFallbacks = 4;

function evaluateFiltered(postfix: readonly Token[], filters: Filters, scope: SymbolicScope): SymbolicValue {
  const operand = evaluatePostfix(postfix, scope);
  let value: SymbolicValue = 'test' in operand ? { kind: 'filled' } : operand.value;
  let isReplaceable = true;
  for (const { name, args } of filters.filter((filter) => /^\w+$/.test(filter.name))) {
    if (name === 'default') {
      const fallback = evaluateToken(args[0], scope);
      if (isReplaceable)
        value = depthOf(value) > maxFallbacks ? { kind: 'unknown' } : { kind: 'default', value, fallback };
    } else if (name === 'rich_text' && value.kind === 'shared') {
      // Editors store empty paragraphs.
      value = { ...value, value: sanitizeRichText(stringify(value.value)) };
    } else {
      isReplaceable &&= !fillingFilters.has(name);
      value = value.kind === 'filled' || value.kind === 'unknown' ? value : { kind: 'filtered', value };
    }
  }
  return value;
}

/** @returns the number of nested fallbacks and conditional assignments around the innermost value */
export function depthOf(value: SymbolicValue): number {
  if (value.kind === 'default') return 1 + Math.max(depthOf(value.value), depthOf(value.fallback));
  if (value.kind === 'either') return 1 + Math.max(depthOf(value.met), depthOf(value.unmet));
  return value.kind === 'filtered' ? depthOf(value.value) : 0;
}

type Operand = { value: SymbolicValue; comparand?: Comparand } | { test: ContactTest };

function evaluatePostfix(postfix: readonly Token[], scope: SymbolicScope): Operand {
  const operands: Operand[] = [];
  const pop = (): Operand => operands.pop() ?? { value: { kind: 'unknown' } };
  for (const token of postfix) {
    if (!TypeGuards.isOperatorToken(token)) {
      operands.push(operandOf(token, scope));
      continue;
    }
    const right = pop();
    if (token.operator === 'not') operands.push({ test: notOf(truthOf(right)) });
    else operands.push({ test: apply(token.operator, pop(), right) });
  }
  return pop();
}

function apply(operator: string, left: Operand, right: Operand): ContactTest {
  switch (operator) {
    case '==':
      return compare(left, right);
    case '!=':
      return notOf(compare(left, right));
    case 'and':
      return allOf(truthOf(left), truthOf(right));
    case 'or':
      return anyOf(truthOf(left), truthOf(right));
    default:
      return unknownTest;
  }
}

const truthOf = (operand: Operand): ContactTest =>
  'test' in operand ? operand.test : isTruthy(operand.value);

function compare(left: Operand, right: Operand): ContactTest {
  if ('test' in left || 'test' in right) return unknownTest;
  if (right.comparand !== undefined) return isEqual(left.value, right.comparand);
  if (left.comparand !== undefined) return isEqual(right.value, left.comparand);
  return left.value.kind === 'shared' && right.value.kind === 'shared'
    ? constant(left.value.value === right.value.value)
    : unknownTest;
}

function operandOf(token: Token, scope: SymbolicScope): Operand {
  const value = evaluateToken(token, scope);
  if (TypeGuards.isLiteralToken(token) && typeof token.content !== 'boolean') {
    const word = token.literal === 'empty' || token.literal === 'blank' ? token.literal : 'nil';
    return { value, comparand: { word } };
  }
  const literal = value.kind === 'shared' ? value.value : undefined;
  return typeof literal === 'string' || typeof literal === 'number' || typeof literal === 'boolean'
    ? { value, comparand: { literal } }
    : { value };
}
