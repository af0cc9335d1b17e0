import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

/** Domains that one line shows. */
const shown = 3;

export const brandDomainsQuery = ({ api, orgId }: OrganizationContext, brandId: string) =>
  api.domains.list.queryOptions({
    input: { organization_id: orgId, brand_id: brandId, page_size: shown },
  });
