import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

/** Who can give permissions, and whether the last owner may leave. Needs the permission to see members. */
export const ownersQuery = ({ api, orgId }: OrganizationContext) =>
  api.members.list.queryOptions({ input: { id: orgId, role: 'owner', page_size: 5 } });
