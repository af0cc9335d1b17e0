import { ForTag, Output, TablerowTag, type Tag, type Template, toValueSync, Value } from 'liquidjs';

/** Every node of a template, outer ones first. */
export function* walkNodes(nodes: Template[]): Generator<Template> {
  for (const node of nodes) {
    yield node;
    if (node.children !== undefined) yield* walkNodes(toValueSync(node.children(false, true)));
  }
}

export function usesLoops(nodes: Template[]): boolean {
  for (const node of walkNodes(nodes)) if (node instanceof ForTag || node instanceof TablerowTag) return true;
  return false;
}

/** Names of all filters in use, except the implicit escape of HTML output. */
export function filterNames(nodes: Template[]): string[] {
  const names = new Set<string>();
  for (const node of walkNodes(nodes)) for (const name of ownFilterNames(node)) names.add(name);
  return [...names];
}

/** Names of the filters of a node without its body, in their order and except the implicit escape. */
export const ownFilterNames = (node: Template): string[] =>
  values(node).flatMap(({ filters }) => filters.map(({ name }) => name).filter((name) => /^\w+$/.test(name)));

/** Tag names in use, `if` or `assign` for instance. */
export function tagNames(nodes: Template[]): string[] {
  const names = new Set<string>();
  for (const node of walkNodes(nodes)) if (isTag(node)) names.add(node.name);
  return [...names];
}

const isTag = (node: Template): node is Tag => 'name' in node && typeof node.name === 'string';

/** @returns the filtered values of a node: the value property of an output, otherwise the arguments that Liquid reports */
function values(node: Template): Value[] {
  if (node instanceof Output) return [node.value];
  const found: Value[] = [];
  if (node.arguments !== undefined) {
    for (const argument of node.arguments()) if (argument instanceof Value) found.push(argument);
  }
  return found;
}
