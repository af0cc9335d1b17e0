import type { ItemsQuery } from '../backend/content-backend.ts';
import { invalidQuery, UnknownField } from '../backend/content-errors.ts';
import { InvalidRule } from '../backend/invalid-rule.ts';
import { parseRule, systemFields } from '../backend/filter-rule.ts';
import type { RuleField } from '../backend/rule-values.ts';
import type { ItemSelection } from './items.queries.ts';
import type { StoredField } from './stored-field.ts';

// What a query asks for, compared with the fields of its collection.

/** @throws 400 `invalid_query`; UnknownField */
export function toSelection(
  organizationId: string,
  collection: string,
  fields: readonly StoredField[],
  { filter, search }: Pick<ItemsQuery, 'filter' | 'search'>,
): ItemSelection {
  return {
    organizationId,
    collection,
    rule: parseFilter(filter ?? {}, fields),
    search: search === undefined || search === '' ? undefined : { text: search, fields },
  };
}

export const toPage = (
  fields: readonly StoredField[],
  { sort = [], limit, offset, after, fields: names }: ItemsQuery,
) => ({
  sort: after === undefined ? sort.map((key) => parseSortKey(key, fields)) : [],
  limit,
  offset,
  after: after ?? null,
  fieldNames: names ?? null,
});

export const shownFields = (
  fields: readonly StoredField[],
  { fields: names }: ItemsQuery,
): readonly StoredField[] =>
  names === undefined ? fields : fields.filter(({ name }) => names.includes(name));

function parseFilter(filter: unknown, fields: readonly StoredField[]) {
  try {
    return parseRule(filter, fields);
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error;
    const reason = `filter: ${error.message}`;
    throw error.isUnknownField ? new UnknownField(reason) : invalidQuery(reason);
  }
}

/** @throws UnknownField */
export function parseSortKey(
  key: string,
  fields: readonly RuleField[],
): { field: RuleField; descending: boolean } {
  const descending = key.startsWith('-');
  const name = descending ? key.slice(1) : key;
  return { field: fieldNamed('sort', name, fields), descending };
}

/** @throws UnknownField */
export function fieldNamed(parameter: string, name: string, fields: readonly RuleField[]): RuleField {
  const field = [...fields, ...systemFields].find((known) => known.name === name);
  if (field === undefined)
    throw new UnknownField(`${parameter}: There is no field “${name}” in this collection.`);
  return field;
}
