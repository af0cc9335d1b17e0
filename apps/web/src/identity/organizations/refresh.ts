import { queryClient } from '#web/platform/query-client.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { myInvitationsQuery, organizationsQuery } from './organizations.ts';

/** After a change of an organization itself, or of the own place in it: its name stands in lists outside of it, too. */
export async function refreshOwnOrganizations(orgId?: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: organizationsQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: myInvitationsQuery.queryKey }),
    orgId === undefined ? undefined : refreshOrganization(orgId),
  ]);
}
