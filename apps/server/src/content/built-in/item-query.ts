import { UnknownField, type ItemsQuery } from '../backend/content-backend.ts';
import { systemFields } from '../backend/filter-rule.ts';
import { parseItemFilter } from '../backend/item-filter.ts';
import type { RuleField } from '../backend/rule-values.ts';
import type { ItemSelection } from './items.queries.ts';
import type { StoredField } from './stored-field.ts';

// Resolves queries against the fields of their collection.

/** @throws 400 `invalid_query`; UnknownField */
export const toSelection = (
  { organizationId, userId }: { organizationId: string; userId: string | null },
  collection: string,
  fields: readonly StoredField[],
  { filter, search }: Pick<ItemsQuery, 'filter' | 'search'>,
): ItemSelection => ({
  organizationId,
  collection,
  rule: parseItemFilter(filter ?? {}, fields, { currentUser: userId ?? undefined }),
  search: search === undefined || search === '' ? undefined : { text: search, fields },
});

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
