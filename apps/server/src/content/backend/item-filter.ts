import { invalidQuery, UnknownField } from './content-backend.ts';
import { parseRule, type Relate, type RuleNode } from './filter-rule.ts';
import { InvalidRule } from './invalid-rule.ts';
import type { RuleField } from './rule-values.ts';

/**
 * Parses the `filter` of an item query and validates it against the fields.
 * @param options  of `parseRule`
 * @throws 400 `invalid_query`; UnknownField
 */
export function parseItemFilter(
  filter: unknown,
  fields: readonly RuleField[],
  options: { currentUser?: string | undefined; relate?: Relate } = {},
): RuleNode {
  try {
    return parseRule(filter, fields, options);
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error;
    const reason = `filter: ${error.message}`;
    throw error.isUnknownField ? new UnknownField(reason) : invalidQuery(reason);
  }
}
