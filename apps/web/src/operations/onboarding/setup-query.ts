import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

/** The setup tasks. Requires permission to create clients. */
export const setupQuery = ({ api, orgId }: OrganizationContext) =>
  api.organizations.setup.queryOptions({ input: { id: orgId }, meta: { quiet: true } });
