import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { checked, compact, readListSearch } from '#web/platform/list-search.ts';

export const itemList = { pageSize: 20, defaultOrder: 'date_created.desc' };

/** Any field can order the items; which fields there are is not known here. */
export const readItemsSearch = checked((raw) => {
  const order = raw['order'];
  return compact({
    ...readListSearch(raw),
    order: typeof order === 'string' && /^[a-z][a-z0-9_]*\.(asc|desc)$/.test(order) ? order : undefined,
  });
});

export const fieldsQuery = ({ api, orgId }: OrganizationContext, collection: string) =>
  api.content.fields.queryOptions({ input: { organization_id: orgId, collection } });

/** Those of the chosen client, and those that all clients share. */
export const collectionsQuery = ({ api, orgId, clientId }: OrganizationContext) =>
  api.content.collections.queryOptions({
    input: compact({ organization_id: orgId, client_id: clientId }),
    select: ({ data }) => ({ items: data }),
  });

export const itemsQuery = (
  { api, orgId }: OrganizationContext,
  collection: string,
  { search, page = 1, order = itemList.defaultOrder }: ReturnType<typeof readItemsSearch>,
) => {
  const [by, direction] = order.split('.');
  return api.content.items.queryOptions({
    input: compact({
      organization_id: orgId,
      collection,
      search,
      sort: `${direction === 'desc' ? '-' : ''}${by}`,
      limit: itemList.pageSize,
      page,
    }),
    select: ({ data, meta }) => ({ items: data, count: meta.filter_count }),
    placeholderData: keepPreviousData,
  });
};
