import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { isUsableFor, type Owner } from '@reachout/contract/rules/owners.ts';
import { fieldName } from '@reachout/contract/values.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { isPlatformCollection, invalidQuery } from '../backend/content-backend.ts';
import { toTimestamp, withoutZone } from '../backend/field-values.ts';
import type { Relate } from '../backend/filter-rule.ts';
import { ruleFunctions } from '../backend/rule-operators.ts';
import type { SeenRelation, SeenRelations } from './describe-fields.ts';
import { findRelatedCollections, type RelatedRow } from './seen-collections.queries.ts';

const operators =
  /^_(?:n?eq|lte?|gte?|n?in|n?null|n?empty|n?i?contains|n?i?starts_with|n?i?ends_with|n?between)$/;
const maxDepth = 10;

/**
 * Validates the form of a filter rule, with the names in it. What its relations lead to is validated by `loadRelate`.
 * @returns whether it uses relations or functions
 * @throws `invalid_query`
 */
export function checkRule(rule: unknown, depth = 0): boolean {
  if (depth > maxDepth) throw invalidQuery('filter: The rule is nested too deeply.');
  const uses = Object.entries(asRule(rule)).map(([key, value]) => {
    if (key === '_and' || key === '_or') return checkList(key, value, (each) => checkRule(each, depth + 1));
    const isComputed = isFunction(key);
    if (!isComputed && !fieldName.safeParse(key).success)
      throw invalidQuery(`filter: ${cutText(key, 80)} is not the name of a field.`);
    return checkConditions(key, value, depth) || isComputed;
  });
  return uses.includes(true);
}

/** The conditions on a field, or on the items that a relation leads to. */
function checkConditions(field: string, value: unknown, depth: number): boolean {
  if (depth > maxDepth) throw invalidQuery('filter: The rule is nested too deeply.');
  if (typeof value !== 'object' || value === null) {
    checkOperand(value);
    return false;
  }
  const conditions = Object.entries(asRule(value));
  // A Directus ignores it, and would find all items.
  if (conditions.length === 0) throw invalidQuery(`filter: ${field}: Say how to compare.`);
  const uses = conditions.map(([key, operand]) => {
    if ((key === '_and' || key === '_or') && Array.isArray(operand) && operand.length === 0)
      throw invalidQuery(`filter: ${field}.${key} takes at least one condition here.`);
    if (key === '_and' || key === '_or')
      return checkList(key, operand, (each) => checkConditions(field, each, depth + 1));
    if (key === '_some' || key === '_none') {
      checkRule(operand, depth + 1);
      return true;
    }
    if (!key.startsWith('_')) {
      checkRule({ [key]: operand }, depth + 1);
      return true;
    }
    if (!operators.test(key))
      throw invalidQuery(`filter: ${field}.${cutText(key, 80)}: There is no such operator.`);
    checkOperand(operand);
    return false;
  });
  return uses.includes(true);
}

function checkList(key: string, list: unknown, check: (each: unknown) => boolean): boolean {
  if (!Array.isArray(list)) throw invalidQuery(`filter: ${key} takes a list of rules.`);
  return list.map(check).includes(true);
}

/** A Directus replaces these in any text, by its own user: that of the token, and not the one who asks. */
function checkOperand(operand: unknown): void {
  const texts = [operand].flat().flatMap((each) => (typeof each === 'string' ? each.split(',') : []));
  const variable = texts.find((text) => /^\s*\$CURRENT_(?:USER|ROLE|POLICIES)/.test(text));
  if (variable !== undefined)
    throw invalidQuery(
      `filter: ${cutText(variable.trim(), 80)} would be the user of the platform in the Directus, and is not supported.`,
    );
}

function isFunction(key: string): boolean {
  const [, name, field] = /^([a-z]+)\((.*)\)$/.exec(key) ?? [];
  return name !== undefined && ruleFunctions.has(name) && fieldName.safeParse(field).success;
}

function asRule(value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw invalidQuery('filter: Use an object, such as {"country":{"_eq":"DE"}}.');
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

const noRelations: Relate = () => undefined;

/**
 * Loads what a rule's relations lead to. The token may read more than the members, so a relation leads only to collections for
 * people that the owner of the first collection may use, and through junctions between these; never to users or other
 * collections of Directus itself.
 * @param of  whose access scope the collections must be in
 */
export async function loadRelate(
  trx: Transaction,
  organizationId: string,
  { collection, rule }: { collection: string; rule: unknown },
  of: 'caller' | 'organization',
): Promise<{ fields: RelatedRow['fields']; relate: Relate }> {
  const find = (names: readonly string[]) => findRelatedCollections(trx, organizationId, names, of);
  const [base] = await find([collection]);
  if (base === undefined) return { fields: [], relate: noRelations };
  const known = new Map([[collection, base]]);
  const used = namesIn(rule);
  for (let open: SeenRelations[] = [base.relations]; open.length > 0;) {
    const through = open.flatMap((relations) => relationsOf(relations, used));
    const ends = through.flatMap(({ junction }) => endsOf(junction));
    const names = [...through, ...ends]
      .map((relation) => relation.collection)
      .filter((name) => !known.has(name) && !isPlatformCollection(name));
    const rows = names.length === 0 ? [] : await find([...new Set(names)]);
    for (const row of rows) known.set(row.collection, row);
    open = rows.map(({ relations }) => relations);
  }
  return { fields: base.fields, relate: relateFrom(base.relations, known, base) };
}

const relationsOf = (relations: SeenRelations, used: ReadonlySet<string>): SeenRelation[] =>
  Object.entries(relations).flatMap(([name, relation]) => (used.has(name) ? [relation] : []));

/** What a junction connects, without who has written its items. */
const endsOf = (junction: SeenRelation['junction']): SeenRelation[] =>
  Object.values(junction?.relations ?? {}).filter(({ collection }) => !isPlatformCollection(collection));

function relateFrom(relations: SeenRelations, known: ReadonlyMap<string, RelatedRow>, owner: Owner): Relate {
  const find = (collection: string): RelatedRow | undefined => {
    const row = known.get(collection);
    return row !== undefined && isUsableFor(row, owner) ? row : undefined;
  };
  const open = ({ collection, junction }: SeenRelation) =>
    junction === undefined || known.has(collection)
      ? find(collection)
      : endsOf(junction).every((end) => find(end.collection) !== undefined)
        ? junction
        : undefined;
  return (name) => {
    if (!Object.hasOwn(relations, name)) return undefined;
    const relation = relations[name]!;
    const related = open(relation);
    if (related === undefined)
      return `The items of ${relation.collection} cannot be used in rules here: the collection is hidden, belongs to another client or brand, or to Directus itself.`;
    return {
      isList: relation.is_list,
      fields: toRuleFields(related.fields),
      relate: relateFrom(related.relations, known, owner),
    };
  };
}

export const toRuleFields = (fields: readonly Pick<RelatedRow['fields'][number], 'field' | 'type'>[]) =>
  fields.map(({ field, type }) => ({ name: field, type }));

/** All names in a rule, with those in functions. */
function namesIn(rule: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(rule)) for (const each of rule) namesIn(each, names);
  else if (typeof rule === 'object' && rule !== null)
    for (const [key, value] of Object.entries(rule)) {
      names.add(/\((\w+)\)$/.exec(key)?.[1] ?? key);
      namesIn(value, names);
    }
  return names;
}
