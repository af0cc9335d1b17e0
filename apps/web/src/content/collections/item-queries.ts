import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContextValue } from '#web/identity/organizations/organization-context.ts';
import { checked, compact, readListSearch } from '#web/platform/list-search.ts';

export const itemsPageSize = 20;

/** Any field can order the items; which fields there are is not known here. */
export const readItemsSearch = checked((raw) => {
  const order = raw['order'];
  return compact({
    ...readListSearch(raw),
    order: typeof order === 'string' && /^[a-z][a-z0-9_]*\.(asc|desc)$/.test(order) ? order : undefined,
  });
});

export const fieldsQuery = ({ api, orgId }: OrganizationContextValue, collection: string) =>
  api.content.fields.queryOptions({ input: { organization_id: orgId, collection } });

export const itemsQuery = (
  { api, orgId }: OrganizationContextValue,
  collection: string,
  { search, page = 1, order }: ReturnType<typeof readItemsSearch>,
) => {
  const [by, direction] = order?.split('.') ?? [];
  return api.content.items.queryOptions({
    input: compact({
      organization_id: orgId,
      collection,
      search,
      sort: by && `${direction === 'desc' ? '-' : ''}${by}`,
      limit: itemsPageSize,
      page,
    }),
    select: ({ data, meta }) => ({ items: data, count: meta.filter_count }),
    placeholderData: keepPreviousData,
  });
};
