import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { fieldName } from '@reachout/contract/values.ts';
import { invalidQuery, type AggregateQuery, type ItemsQuery } from '../backend/content-backend.ts';
import type { DirectusQuery } from './directus-client.ts';
import { checkRule, withoutZones } from './directus-rule.ts';

export const toCondition = ({
  filter,
  search,
}: Pick<ItemsQuery, 'filter' | 'search'>): Pick<DirectusQuery, 'filter' | 'search'> => {
  if (Object.keys(filter ?? {}).length > 0) checkRule(filter);
  return {
    ...(Object.keys(filter ?? {}).length === 0 ? {} : { filter: withoutZones(filter) }),
    ...(search === undefined || search === '' ? {} : { search }),
  };
};

/** Adds the key as the last sort field, so that no item appears on two pages. */
export const toQuery = ({
  sort = [],
  limit,
  offset,
  after,
  fields,
  ...condition
}: ItemsQuery): DirectusQuery => ({
  ...toCondition(after === undefined ? condition : behind(after, condition)),
  sort: after === undefined ? [...checkNames('sort', sort), 'id'] : ['id'],
  limit,
  offset,
  // Directus applies its default only to URL queries; long rules are sent in the body.
  fields: fields === undefined ? ['*'] : ['id', ...checkNames('fields', fields)],
});

/** Restricts to items after a key. Directus compares only numeric keys and reports that it cannot compare others. */
const behind = (key: string, { filter, search }: Pick<ItemsQuery, 'filter' | 'search'>) => ({
  filter: { _and: [filter ?? {}, { id: { _gt: key } }] },
  search,
});

export function toAggregate({ aggregate, groupBy, sort = [], limit, offset, ...condition }: AggregateQuery) {
  const byFunction = Map.groupBy(aggregate, (value) => value.function);
  const names = (name: string) => (name === '*' ? '*' : checkNames('aggregate', [name])[0]!);
  return {
    ...toCondition(condition),
    aggregate: Object.fromEntries(
      [...byFunction].map(([name, values]) => [name, values.map(({ field }) => names(field))]),
    ),
    ...(groupBy.length === 0 ? {} : { groupBy: checkNames('groupBy', groupBy) }),
    ...(sort.length === 0 ? {} : { sort: checkNames('sort', sort) }),
    limit,
    offset,
  };
}

/** Validates field names; paths through relations are not allowed. @throws `invalid_query` */
function checkNames(parameter: string, names: readonly string[]): string[] {
  for (const name of names) {
    if (!fieldName.safeParse(name.replace(/^-/, '')).success) {
      throw invalidQuery(`${parameter}: ${cutText(name, 80)} is not the name of a field.`);
    }
  }
  return [...names];
}
