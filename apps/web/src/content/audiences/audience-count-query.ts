import type { Filter } from '@reachout/contract/filters.ts';
import { keepPreviousData } from '@tanstack/react-query';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

/** Who a stored audience selects for a brand. Counts nothing while the audience is not known. */
export const audienceCountQuery = (
  { api, orgId }: OrganizationContext,
  brandId: string,
  filter: Filter | undefined,
) =>
  api.filters.count.queryOptions({
    input: {
      organization_id: orgId,
      brand_id: brandId,
      collection: filter?.collection ?? 'contacts',
      rule: filter?.rule ?? {},
      field_mapping: filter?.field_mapping ?? { email: 'email', unsubscribed: null },
    },
    enabled: filter !== undefined,
    placeholderData: keepPreviousData,
  });
