import type { Api } from '#web/platform/api.ts';

/** Built-in and custom roles with their rules. Requires permission to read members. */
export const rolesQuery = (api: Api, orgId: string) =>
  api.organizationRoles.list.queryOptions({ input: { id: orgId }, staleTime: 60_000 });
