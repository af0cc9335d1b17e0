import type { Filter } from '@reachout/contract/filters.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { whileReading } from './use-read-contacts.ts';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

export const countInput = (brandId: string, filter: Filter | undefined) => ({
  brand_id: brandId,
  collection: filter?.collection ?? 'contacts',
  rule: filter?.rule ?? {},
  field_mapping: filter?.field_mapping ?? { email: 'email', unsubscribed: null },
});

/** Counts the recipients of a stored audience for a brand. Disabled until the audience is loaded. */
export const audienceCountQuery = (
  { api, orgId }: OrganizationContext,
  brandId: string,
  filter: Filter | undefined,
) =>
  api.filters.count.queryOptions({
    input: { organization_id: orgId, ...countInput(brandId, filter) },
    enabled: filter !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: whileReading,
  });
