import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { fieldName } from '@reachout/contract/values.ts';
import { invalidQuery } from '../backend/content-errors.ts';
import { toTimestamp, withoutZone } from '../backend/field-values.ts';

const operators =
  /^_(?:n?eq|lte?|gte?|n?in|n?null|n?empty|n?i?contains|n?i?starts_with|n?i?ends_with|n?between)$/;
const maxDepth = 10;

/**
 * Validates that a filter rule uses only fields of its own collection. Through a relation it could read data that its author
 * must not see, because the connection's token may have more access than any member.
 * @throws `invalid_query`
 */
export function checkFlatRule(rule: unknown): unknown {
  checkRule(rule, 0);
  return rule;
}

/** Replaces times with a zone, which a Directus does not know, by the same instants. */
export function withoutZones(rule: unknown): unknown {
  if (typeof rule === 'string') return toInstant(rule);
  if (Array.isArray(rule)) return rule.map(withoutZones);
  if (typeof rule !== 'object' || rule === null) return rule;
  return Object.fromEntries(Object.entries(rule).map(([key, value]) => [key, withoutZones(value)]));
}

function toInstant(text: string): string {
  if (!text.includes('[')) return text;
  const parts = text.split(',').map((part) => {
    const time = withoutZone(part.trim());
    return time === undefined ? part : (toTimestamp(time) ?? part);
  });
  return parts.join(',');
}

function checkRule(rule: unknown, depth: number): void {
  if (depth > maxDepth) throw invalidQuery('filter: The rule is nested too deeply.');
  for (const [key, value] of Object.entries(asRule(rule))) {
    if (key === '_and' || key === '_or') {
      if (!Array.isArray(value)) throw invalidQuery(`filter: ${key} takes a list of rules.`);
      for (const each of value) checkRule(each, depth + 1);
    } else if (!fieldName.safeParse(key).success) {
      throw invalidQuery(`filter: ${cutText(key, 80)} is not the name of a field.`);
    } else if (typeof value === 'object' && value !== null) {
      for (const operator of Object.keys(asRule(value))) {
        if (!operators.test(operator)) {
          throw invalidQuery(`filter: ${key}.${cutText(operator, 80)}: There is no such operator.`);
        }
      }
    }
  }
}

function asRule(value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw invalidQuery('filter: Use an object, such as {"country":{"_eq":"DE"}}.');
}
