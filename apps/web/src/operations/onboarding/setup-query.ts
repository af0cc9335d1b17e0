import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

/** What is still to set up. Needs the permission to create clients. */
export const setupQuery = ({ api, orgId }: OrganizationContext) =>
  api.organizations.setup.queryOptions({ input: { id: orgId }, meta: { quiet: true } });
