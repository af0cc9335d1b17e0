import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { defineList, type SearchOf } from '#web/platform/list-search.ts';

export const shareList = defineList({ pageSize: 20 });
export type SharesSearch = SearchOf<typeof shareList>;

export const sharesQuery = ({ api, orgId }: OrganizationContext, search: SharesSearch) =>
  api.content.shares.queryOptions(shareList.query(search, { organization_id: orgId }));
