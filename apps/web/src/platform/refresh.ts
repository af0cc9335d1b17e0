import { queryClient } from './query-client.ts';

/**
 * Marks everything of one organization as out of date; what is on screen is fetched again. Records lean on each other
 * (a brand's name stands on campaigns, touchpoints and sends), so a finer list of keys would be wrong sooner or later.
 */
export function refreshOrganization(organizationId: string): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) => Array.isArray(path) && path[0] === organizationId,
  });
}
