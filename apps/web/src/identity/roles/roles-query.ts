import type { Api } from '#web/platform/api.ts';

/** Built-in roles and the organization's own, with their rules. Needs the permission to see members. */
export const rolesQuery = (api: Api, orgId: string) =>
  api.organizationRoles.list.queryOptions({ input: { id: orgId }, staleTime: 60_000 });
