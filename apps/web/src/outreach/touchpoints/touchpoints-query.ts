import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContextValue } from '#web/identity/organizations/organization-context.ts';
import { checked, readListSearch } from '#web/platform/list-search.ts';

export const touchpointsPageSize = 100;
export const touchpointsDefaultOrder = 'name.asc';

export const readTouchpointsSearch = checked((raw) => readListSearch(raw, ['name', 'updated_at']));
export type TouchpointsSearch = ReturnType<typeof readTouchpointsSearch>;

/** The touchpoints of one campaign or brand. */
export const touchpointsQuery = (
  { api, orgId }: OrganizationContextValue,
  of: { campaign_id: string } | { brand_id: string },
  { page = 1, order = touchpointsDefaultOrder }: TouchpointsSearch,
) =>
  api.touchpoints.list.queryOptions({
    input: { organization_id: orgId, ...of, order, page: page - 1, page_size: touchpointsPageSize },
    placeholderData: keepPreviousData,
  });
