import { invalidQuery, UnknownField } from './content-errors.ts';
import { parseRule, type RuleNode } from './filter-rule.ts';
import { InvalidRule } from './invalid-rule.ts';
import type { RuleField } from './rule-values.ts';

/**
 * Parses the `filter` of an item query and validates it against the fields.
 * @param currentUser  the user that `$CURRENT_USER` stands for; undefined rejects it
 * @throws 400 `invalid_query`; UnknownField
 */
export function parseItemFilter(
  filter: unknown,
  fields: readonly RuleField[],
  currentUser?: string,
): RuleNode {
  try {
    return parseRule(filter, fields, currentUser);
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error;
    const reason = `filter: ${error.message}`;
    throw error.isUnknownField ? new UnknownField(reason) : invalidQuery(reason);
  }
}

/** Whether a rule has a condition. Without one, it matches all items. */
export function hasCondition(node: RuleNode): boolean {
  if (node.kind === 'all') return node.nodes.some(hasCondition);
  if (node.kind === 'any') return node.nodes.length > 0 && node.nodes.every(hasCondition);
  return true;
}
