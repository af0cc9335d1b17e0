import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { defineList, type SearchOf } from '#web/platform/list-search.ts';

export const dataRequestList = defineList({ pageSize: 50, filters: () => ({}) });

/** Refetches, because requests are run by a worker. */
export const dataRequestsQuery = (
  { api, orgId }: OrganizationContext,
  search: SearchOf<typeof dataRequestList>,
) =>
  api.dataRequests.list.queryOptions({
    ...dataRequestList.query(search, { organization_id: orgId }),
    refetchInterval: 5_000,
    meta: { quiet: true },
  });
