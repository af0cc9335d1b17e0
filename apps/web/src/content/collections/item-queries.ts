import type { Field } from '@reachout/contract/content-fields.ts';
import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { checked, compact, readListSearch, type ListSearch } from '#web/platform/list-search.ts';
import { isRecord } from '#web/platform/problem.ts';

export const itemList = { pageSize: 20, defaultOrder: 'date_created.desc' };

/** Newest first. Collections of a Directus may lack the timestamp; numeric keys grow with it. */
export const defaultOrderOf = (fields: readonly Pick<Field, 'field'>[]): string =>
  fields.some(({ field }) => field === 'date_created') ? itemList.defaultOrder : 'id.desc';

/** A filter rule in the filter language of Directus. */
export type ItemRule = Record<string, unknown>;

/** URL parameters of a list of items. */
export interface ItemsSearch extends ListSearch<string> {
  filter?: ItemRule;
  /** Id of a saved view. */
  view?: string;
  /** The columns selected since a view was opened. */
  columns?: string[];
}

/** Maximum length of the JSON in characters, because URLs are limited in length. */
const maxRuleLength = 6_000;

/** Any field can be used to sort and filter; the existing fields are not known here. */
export const readItemsSearch = checked((raw): ItemsSearch => {
  const { order, filter } = raw;
  const isRule =
    isRecord(filter) && Object.keys(filter).length > 0 && JSON.stringify(filter).length <= maxRuleLength;
  return compact({
    ...readListSearch(raw),
    order: typeof order === 'string' && /^[a-z][a-z0-9_]*\.(asc|desc)$/.test(order) ? order : undefined,
    filter: isRule ? filter : undefined,
    view: readViewId(raw['view']),
    columns: readColumns(raw['columns']),
  });
});

/** The ids of views in a Directus are numbers. */
const readViewId = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number'
    ? /^[\w-]{1,64}$/.exec(String(value))?.[0]
    : undefined;

const readColumns = (value: unknown): string[] | undefined =>
  Array.isArray(value) &&
  value.length <= 200 &&
  value.every((name) => /^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(String(name)))
    ? value.map(String)
    : undefined;

export const fieldsQuery = ({ api, orgId }: OrganizationContext, collection: string) =>
  api.content.fields.queryOptions({ input: { organization_id: orgId, collection } });

/** One item; none for a key that is null. */
export const itemQuery = ({ api, orgId }: OrganizationContext, collection: string, key: string | null) =>
  api.content.item.queryOptions({
    input: { organization_id: orgId, collection, key: key ?? '' },
    enabled: key !== null,
    select: ({ data }) => data,
    retry: false,
    meta: { quiet: true },
  });

/** Includes hidden collections. */
export const allFieldsQuery = ({ api, orgId }: OrganizationContext, collection: string) =>
  api.content.fields.queryOptions({ input: { organization_id: orgId, collection, hidden: 'true' } });

/**
 * The collections of the chosen client and those shared by all clients.
 * @param withHidden  includes collections that lists omit
 */
export const collectionsQuery = ({ api, orgId, clientId }: OrganizationContext, withHidden = false) =>
  api.content.collections.queryOptions({
    input: compact({
      organization_id: orgId,
      client_id: clientId,
      hidden: withHidden ? ('true' as const) : undefined,
    }),
    select: ({ data, meta }) => ({ items: data, backend: meta.backend }),
  });

/** @param fields  once loaded, they determine the default sort order */
export const itemsQuery = (
  { api, orgId }: OrganizationContext,
  collection: string,
  { search, filter, page = 1, order }: ItemsSearch,
  fields?: readonly Field[],
) => {
  const [by, direction] = (order ?? (fields ? defaultOrderOf(fields) : itemList.defaultOrder)).split('.');
  return api.content.items.queryOptions({
    input: compact({
      organization_id: orgId,
      collection,
      search,
      filter: filter === undefined ? undefined : JSON.stringify(filter),
      sort: `${direction === 'desc' ? '-' : ''}${by}`,
      limit: itemList.pageSize,
      page,
    }),
    select: ({ data, meta }) => ({ items: data, count: meta.filter_count, hasMore: meta.has_more }),
    placeholderData: keepPreviousData,
  });
};
