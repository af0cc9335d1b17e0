import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

export const contentBackendQuery = ({ api, orgId }: OrganizationContext) =>
  api.contentBackend.get.queryOptions({ input: { id: orgId } });
