import type { WithoutValue } from '@reachout/contract/filters.ts';
import type { ContentBackend } from '../../content/backend/content-backend.ts';
import { isObject } from '../../content/backend/filter-rule.ts';
import { textOperators } from '../../content/backend/rule-operators.ts';
import type { Audience } from './audience.ts';

/** Maximum fields that are counted: each is another count of the contacts. */
const maxFields = 3;

/**
 * Counts the contacts that a rule leaves out only because a field has no value, where people expect them: “is no”, “is not”, “is
 * before”. A rule has no negation of groups, so it selects at least as many with “or empty” as without.
 * @param matched  contacts that the rule selects, counted by the same backend
 * @returns by field, in the order of the rule; none is left out
 */
export async function countWithoutValue(
  backend: Pick<ContentBackend, 'countItems' | 'listFields'>,
  { collection, source }: Pick<Audience, 'collection' | 'source'>,
  matched: number,
): Promise<WithoutValue[]> {
  const found: WithoutValue[] = [];
  for (const name of [...new Set(namesIn(source))].slice(0, maxFields)) {
    const count = (await backend.countItems(collection, { filter: orEmpty(source, name) })) - matched;
    if (count <= 0) continue;
    const field = (await backend.listFields(collection)).find((other) => other.field === name);
    found.push({ field: name, label: field?.label ?? null, count });
  }
  return found;
}

/** Operators that say what a value is not, or what it is below. */
const negative: ReadonlySet<string> = new Set([
  '_neq',
  '_nin',
  '_nbetween',
  '_lt',
  '_lte',
  ...Object.keys(textOperators).filter((name) => textOperators[name]!.negated),
]);

/** Whether a condition on a field has such an operator and says nothing about empty values. */
function leavesOutEmpty(condition: unknown): boolean {
  if (!isObject(condition)) return condition === false || condition === 'false';
  const entries = Object.entries(condition);
  if (entries.some(([key]) => /^_n?(?:null|empty)$/.test(key))) return false;
  return entries.some(([key, value]) =>
    Array.isArray(value) && (key === '_and' || key === '_or')
      ? value.some(leavesOutEmpty)
      : (negative.has(key) && value !== null) || (key === '_eq' && (value === false || value === 'false')),
  );
}

/** The fields of a valid rule whose conditions leave out empty values; not those behind relations and in functions. */
function namesIn(rule: unknown): string[] {
  if (!isObject(rule)) return [];
  return Object.entries(rule).flatMap(([key, value]) => {
    if ((key === '_and' || key === '_or') && Array.isArray(value)) return value.flatMap(namesIn);
    return leavesOutEmpty(value) && !key.includes('(') ? [key] : [];
  });
}

/** The rule, with the contacts that have no value in a field. */
function orEmpty(rule: unknown, field: string): unknown {
  if (!isObject(rule)) return rule;
  const parts = Object.entries(rule).map(([key, value]) => {
    if ((key === '_and' || key === '_or') && Array.isArray(value))
      return { [key]: value.map((member) => orEmpty(member, field)) };
    const part = { [key]: value };
    return key === field && leavesOutEmpty(value) ? { _or: [part, { [key]: { _null: true } }] } : part;
  });
  return parts.length === 1 ? parts[0] : { _and: parts };
}
