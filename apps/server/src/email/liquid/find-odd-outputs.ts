import { AssignTag, CycleTag, EchoTag, Output, type Template, TypeGuards, Value } from 'liquidjs';
import type { CompileProblem } from '../email-content.ts';
import { walkNodes } from './liquid-nodes.ts';

/**
 * Finds outputs that print something else than their words say: an operator makes `true` or `false` of its values, and whatever
 * follows a value without a filter is ignored, so that a fallback never applies.
 */
export function findOddOutputs(
  nodes: Template[],
  field: NonNullable<CompileProblem['field']>,
): CompileProblem[] {
  const all = [...walkNodes(nodes)];
  const printed = new Set<string>();
  const odd: { node: Template; value: Value; name?: string }[] = [];
  for (const node of all) {
    if (node instanceof Output) {
      const [only, ...others] = node.value.initial.postfix;
      if (others.length > 0 || hasComma(node)) odd.push({ node, value: node.value });
      else if (TypeGuards.isPropertyAccessToken(only))
        printed.add(only.input.slice(only.begin, only.end).trim());
    } else if (node instanceof EchoTag || node instanceof CycleTag || node instanceof AssignTag)
      for (const value of node.arguments())
        if (value instanceof Value && value.initial.postfix.length > 1) {
          const [name] = node instanceof AssignTag ? [...node.localScope()] : [];
          odd.push({
            node,
            value,
            ...(name !== undefined && { name: typeof name === 'string' ? name : name.content }),
          });
        }
  }
  return odd
    .filter(({ name }) => name === undefined || printed.has(name))
    .slice(0, maxFound)
    .map(({ node, value }) => describe(node, value, field));
}

/** Liquid ignores what follows a comma: `{{ contact.first_name, "you" }}`. */
const hasComma = ({ token }: Output): boolean =>
  /^[^|]*,/.test(token.getText().replaceAll(/"[^"]*"|'[^']*'/g, ''));

const maxFound = 20;
/** Nobody prints what these say; a comparison may belong to an address. */
const words = new Set(['or', 'and', 'not']);

function describe(
  node: Template,
  { initial }: Value,
  field: NonNullable<CompileProblem['field']>,
): CompileProblem {
  const source = node.token.getText();
  const operators = initial.postfix.filter((token) => TypeGuards.isOperatorToken(token));
  const isComparison = operators.length > 0 && !operators.some(({ operator }) => words.has(operator));
  const what = operators.length > 0 ? 'prints true or false' : 'prints its first value alone';
  return {
    code: 'tag_not_a_value',
    severity: isComparison ? 'warning' : 'error',
    field,
    message: `${source} ${what}. For a fallback, use the filter default: {{ contact.first_name | default: "you" }}.`,
    variable: source,
    line: node.token.getPosition()[0]!,
  };
}
