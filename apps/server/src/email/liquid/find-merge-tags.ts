import {
  AssignTag,
  CaptureTag,
  CaseTag,
  CycleTag,
  DecrementTag,
  EchoTag,
  ForTag,
  IfTag,
  IncrementTag,
  LiquidTag,
  Output,
  TablerowTag,
  type Template,
  TypeGuards,
  UnlessTag,
  Value,
} from 'liquidjs';
import {
  allOf,
  anyOf,
  constant,
  isConstant,
  notOf,
  sizeOf,
  unknownTest,
  type ContactTest,
} from '../merge-tags.ts';
import { walkNodes } from './liquid-nodes.ts';
import { depthOf, evaluate, evaluateCondition, evaluateToken, evaluateWhen } from './symbolic-expression.ts';
import { isBlank, type SymbolicValue } from './symbolic-value.ts';

/** A place where a template prints a variable. */
export interface PrintedVariable {
  /** The path of a field, as in `contact.first_name`; otherwise the source text. */
  variable: string;
  node: Template;
  /** Condition under which this place is reached and prints nothing. */
  blank: ContactTest;
  /** Only rendering can tell whether it is blank, even where it is known to be reached. */
  isNotChecked: boolean;
}

/** A place where a template prints a field of a content item, which is empty. */
export interface EmptyItemField {
  /** Index in `items`; undefined for `item`. */
  index: number | undefined;
  /** Path within the item. */
  field: string;
  node: Template;
}

/** Maximum values that a condition may test; longer conditions are unknown. */
const maxTestSize = 60;
const maxDepth = 4;

/**
 * Evaluates a template as it would be rendered, with unknown contact fields.
 * @returns what it prints, except for variables that always print something
 */
export function findPrintedVariables(
  nodes: Template[],
  shared: Readonly<Record<string, unknown>>,
): Pick<Walk, 'printed' | 'emptyItemFields'> {
  const walk: Walk = { shared, assigned: new Map(), printed: [], emptyItemFields: [], isInItems: false };
  visitAll(walk, nodes, constant(true));
  return walk;
}

interface Walk {
  shared: Readonly<Record<string, unknown>>;
  assigned: Map<string, SymbolicValue>;
  printed: PrintedVariable[];
  emptyItemFields: EmptyItemField[];
  /** Whether the nodes are those of a loop over content items, which is evaluated for each item. */
  isInItems: boolean;
}

function visitAll(walk: Walk, nodes: readonly Template[], reached: ContactTest): void {
  for (const node of nodes) if (!isConstant(reached, false)) visit(walk, node, reached);
}

function visit(walk: Walk, node: Template, reached: ContactTest): void {
  if (node instanceof Output) print(walk, node, node.value, reached);
  else if (node instanceof EchoTag || node instanceof CycleTag)
    for (const argument of node.arguments()) print(walk, node, argument, reached);
  else if (node instanceof IfTag || node instanceof UnlessTag || node instanceof CaseTag)
    visitBranches(walk, node, reached);
  else if (node instanceof ForTag || node instanceof TablerowTag) visitLoop(walk, node, reached);
  else if (node instanceof LiquidTag) visitAll(walk, node.templates, reached);
  else if (node instanceof CaptureTag) {
    // Variables inside count as printed here; whether the captured text is printed is not checked.
    visitAll(walk, node.templates, reached);
    walk.assigned.set(node.variable, { kind: 'filled' });
  } else if (node instanceof AssignTag) {
    const [value] = node.arguments();
    const given = value instanceof Value ? evaluate(value, walk) : ({ kind: 'unknown' } as const);
    for (const name of namesOf(node)) walk.assigned.set(name, given);
  } else if (node instanceof IncrementTag || node instanceof DecrementTag)
    for (const name of namesOf(node)) walk.assigned.set(name, { kind: 'filled' });
}

function print(walk: Walk, node: Template, argument: unknown, reached: ContactTest): void {
  const value = argument instanceof Value ? evaluate(argument, walk) : evaluateToken(argument, walk);
  const blank = isBlank(value);
  const token: unknown = argument instanceof Value ? argument.initial.postfix[0] : argument;
  if (isConstant(blank, false) || !TypeGuards.isPropertyAccessToken(token)) return;
  const ofItem = isConstant(blank, true) ? itemFieldOf(value) : undefined;
  if (ofItem !== undefined) {
    walk.emptyItemFields.push({ ...ofItem, node });
    return;
  }
  walk.printed.push({
    variable: fieldOf(value) ?? token.input.slice(token.begin, token.end).trim(),
    node,
    blank: bounded(allOf(reached, blank)),
    isNotChecked: blank.kind === 'unknown',
  });
}

/** @returns the field of a content item that gives the value */
function itemFieldOf(value: SymbolicValue): Omit<EmptyItemField, 'node'> | undefined {
  if (value.kind === 'default' || value.kind === 'filtered') return itemFieldOf(value.value);
  if (value.kind !== 'shared') return undefined;
  const [root, ...path] = value.path ?? [];
  if (root === 'item' && path.length > 0) return { index: undefined, field: path.join('.') };
  if (root === 'items' && path.length > 1) return { index: Number(path[0]), field: path.slice(1).join('.') };
  return undefined;
}

/** @returns the path of the field that gives the value, or else of the first fallback that is a field */
function fieldOf(value: SymbolicValue): string | undefined {
  switch (value.kind) {
    case 'field':
      return ['contact', ...value.path].join('.');
    case 'default':
      return fieldOf(value.value) ?? fieldOf(value.fallback);
    case 'either':
      return fieldOf(value.met) ?? fieldOf(value.unmet);
    default:
      return value.kind === 'filtered' ? fieldOf(value.value) : undefined;
  }
}

interface Branch {
  test: ContactTest;
  templates: readonly Template[];
}

function visitBranches(walk: Walk, node: IfTag | UnlessTag | CaseTag, reached: ContactTest): void {
  const before = walk.assigned;
  let others: ContactTest = constant(true);
  const ends: { test: ContactTest; assigned: Map<string, SymbolicValue> }[] = [];
  const take = (test: ContactTest, templates: readonly Template[]) => {
    walk.assigned = new Map(before);
    visitAll(walk, templates, bounded(allOf(reached, test)));
    ends.push({ test, assigned: walk.assigned });
  };
  for (const { test, templates } of branchesOf(walk, node)) {
    // `case` renders each matching branch, `if` only the first.
    take(node instanceof CaseTag ? test : bounded(allOf(others, test)), templates);
    others = bounded(allOf(others, notOf(test)));
  }
  take(others, node.elseTemplates ?? []);
  walk.assigned = mergeAssigned(before, ends);
}

function branchesOf(walk: Walk, node: IfTag | UnlessTag | CaseTag): Branch[] {
  if (node instanceof CaseTag)
    return node.branches.map(({ values, templates }) => ({
      test: bounded(anyOf(...values.map((value) => evaluateWhen(node.value, value, walk)))),
      templates,
    }));
  return node.branches.map(({ value, templates }, index) => {
    const test = bounded(evaluateCondition(value, walk));
    return { test: node instanceof UnlessTag && index === 0 ? notOf(test) : test, templates };
  });
}

/** @returns the variables after one of several branches was rendered */
function mergeAssigned(
  before: Map<string, SymbolicValue>,
  ends: readonly { test: ContactTest; assigned: Map<string, SymbolicValue> }[],
): Map<string, SymbolicValue> {
  const merged = new Map(before);
  for (const name of new Set(ends.flatMap(({ assigned }) => [...assigned.keys()]))) {
    const values = ends.map(({ test, assigned }) => ({ test, value: assigned.get(name) }));
    if (values.every(({ value }) => value === before.get(name))) continue;
    const nothing: SymbolicValue = { kind: 'shared', value: undefined };
    let value = values.at(-1)?.value ?? nothing;
    for (const end of values.slice(0, -1).toReversed())
      value = { kind: 'either', test: end.test, met: end.value ?? nothing, unmet: value };
    merged.set(name, depthOf(value) > maxDepth ? { kind: 'unknown' } : value);
  }
  return merged;
}

/**
 * A loop over content items is evaluated for each of them. The variable of a loop over other shared data always has a value;
 * that of any other loop is unknown.
 */
function visitLoop(walk: Walk, node: ForTag | TablerowTag, reached: ContactTest): void {
  const list = evaluateToken(node.collection, walk);
  const isShared = list.kind === 'shared' || list.kind === 'filled';
  const isEmpty =
    list.kind === 'shared' && (Array.isArray(list.value) ? list.value.length === 0 : !list.value);
  // An iteration may read what an earlier one has assigned.
  for (const inner of walkNodes(node.templates))
    for (const name of namesOf(inner)) walk.assigned.set(name, { kind: 'unknown' });
  const inside = isEmpty ? constant(false) : isShared ? reached : bounded(allOf(reached, unknownTest));
  const outer = walk.assigned.get(node.variable);
  const looped = walk.isInItems ? undefined : itemsOf(node, list);
  if (looped === undefined) {
    walk.assigned.set(node.variable, { kind: isShared ? 'filled' : 'unknown' });
    visitAll(walk, node.templates, inside);
  } else {
    walk.isInItems = true;
    for (const item of looped) {
      walk.assigned.set(node.variable, item);
      visitAll(walk, node.templates, inside);
    }
    walk.isInItems = false;
  }
  if (outer === undefined) walk.assigned.delete(node.variable);
  else walk.assigned.set(node.variable, outer);
  if (node instanceof ForTag)
    visitAll(walk, node.elseTemplates ?? [], isEmpty ? reached : allOf(reached, unknownTest));
}

/** @returns the content items of a loop over `items`; undefined for any other loop, and for one that begins later */
function itemsOf(node: ForTag | TablerowTag, list: SymbolicValue): SymbolicValue[] | undefined {
  if (list.kind !== 'shared' || list.path?.join('.') !== 'items' || !Array.isArray(list.value))
    return undefined;
  const { limit, offset } = (node instanceof ForTag ? node.hash : node.args).hash;
  if (offset !== undefined || (limit !== undefined && !TypeGuards.isNumberToken(limit))) return undefined;
  const count = TypeGuards.isNumberToken(limit) ? limit.content : list.value.length;
  return list.value
    .slice(0, count)
    .map((value: unknown, index) => ({ kind: 'shared', value, path: ['items', String(index)] }));
}

/** @returns the names that a tag assigns */
const namesOf = (tag: Template): string[] =>
  [...(tag.localScope?.() ?? [])].map((name) => (typeof name === 'string' ? name : name.content));

const bounded = (test: ContactTest): ContactTest => (sizeOf(test) > maxTestSize ? unknownTest : test);
