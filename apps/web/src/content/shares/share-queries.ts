import type { Share } from '@reachout/contract/content-shares.ts';
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

/** The shares of one item: more than a person looks through is cut off, the latest come first. */
export const itemSharesQuery = ({ api, orgId }: OrganizationContext, collection: string, item: string) =>
  api.content.shares.queryOptions({
    input: { organization_id: orgId, collection, item, page: 0, page_size: 100 },
  });

/** A share is for all clients: members who are limited to some of them have none. */
export const canShare = ({ can }: Pick<OrganizationContext, 'can'>): boolean =>
  can('read', 'Content', {}) && can('update', 'Content', {});

export type ShareState = 'open' | 'from' | 'until' | 'ended' | 'usedUp';

export function stateOf(
  share: Pick<Share, 'date_start' | 'date_end' | 'max_uses' | 'times_used'>,
): ShareState {
  const now = new Date();
  if (share.date_end !== null && new Date(share.date_end) <= now) return 'ended';
  if (share.max_uses !== null && share.times_used >= share.max_uses) return 'usedUp';
  if (share.date_start !== null && new Date(share.date_start) > now) return 'from';
  return share.date_end === null ? 'open' : 'until';
}
