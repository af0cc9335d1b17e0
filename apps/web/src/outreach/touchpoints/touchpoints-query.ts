import { figureColumns } from '@reachout/contract/rules/figure-columns.ts';
import { withReadableOrder } from '#web/clients/figures/readable-order.ts';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { defineList, type SearchOf } from '#web/platform/list-search.ts';

/** The touchpoints of one campaign or brand, newest first: by the date of sending, or else of the last change. */
export const touchpointList = defineList({
  pageSize: 100,
  sortBy: ['date', 'name', 'updated_at', ...figureColumns],
  defaultOrder: 'date.desc',
});
export type TouchpointsSearch = SearchOf<typeof touchpointList>;

export const touchpointsQuery = (
  scope: OrganizationContext,
  of: { campaign_id: string } | { brand_id: string },
  search: TouchpointsSearch,
) =>
  scope.api.touchpoints.list.queryOptions(
    touchpointList.query(withReadableOrder(scope, search), { organization_id: scope.orgId, ...of }),
  );
