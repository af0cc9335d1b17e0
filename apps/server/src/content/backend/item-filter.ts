import { invalidQuery, UnknownField } from './content-errors.ts';
import { parseRule, type RuleNode } from './filter-rule.ts';
import { InvalidRule } from './invalid-rule.ts';
import type { RuleField } from './rule-values.ts';

/** The `filter` of a query for items, compared with their fields. @throws 400 `invalid_query`; UnknownField */
export function parseItemFilter(filter: unknown, fields: readonly RuleField[]): RuleNode {
  try {
    return parseRule(filter, fields);
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error;
    const reason = `filter: ${error.message}`;
    throw error.isUnknownField ? new UnknownField(reason) : invalidQuery(reason);
  }
}

/** Whether a rule has a condition on items. Without one, it matches all of them. */
export function hasCondition(node: RuleNode): boolean {
  if (node.kind === 'all') return node.nodes.some(hasCondition);
  if (node.kind === 'any') return node.nodes.length > 0 && node.nodes.every(hasCondition);
  return true;
}
