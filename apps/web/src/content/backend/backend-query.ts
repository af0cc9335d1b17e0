import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

/** Polling interval while copies are waiting to be written. */
const refetchMs = 5_000;

export const contentCopiesQuery = ({ api, orgId }: OrganizationContext) =>
  api.contentBackend.copies.queryOptions({
    input: { id: orgId },
    refetchInterval: ({ state }) => ((state.data?.waiting_count ?? 0) > 0 ? refetchMs : false),
  });

export const contentBackendQuery = ({ api, orgId }: OrganizationContext) =>
  api.contentBackend.get.queryOptions({ input: { id: orgId } });
