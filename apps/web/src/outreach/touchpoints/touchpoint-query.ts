import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

export const touchpointQuery = ({ api }: OrganizationContext, id: string) =>
  api.touchpoints.get.queryOptions({ input: { id } });
