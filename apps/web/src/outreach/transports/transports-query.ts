import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

export const transportsQuery = ({ api, orgId }: OrganizationContext) =>
  api.transports.list.queryOptions({ input: { id: orgId } });
