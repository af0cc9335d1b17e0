import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { defineList, type SearchOf } from '#web/platform/list-search.ts';

export const shareList = defineList({ pageSize: 20 });
export type SharesSearch = SearchOf<typeof shareList>;

export const sharesQuery = ({ api, orgId }: OrganizationContext, search: SharesSearch) => {
  const { page, page_size } = shareList.input(search);
  return api.content.shares.queryOptions({
    input: { organization_id: orgId, page, page_size },
    placeholderData: keepPreviousData,
  });
};
