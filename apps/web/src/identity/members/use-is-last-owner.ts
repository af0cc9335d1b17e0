import { useQuery } from '@tanstack/react-query';
import { useOrganization } from '#web/identity/organizations/organization-context.ts';

/**
 * Whether somebody of this role is the only owner there is. False while it is not known: the server refuses with
 * `last_owner` in any case.
 */
export function useIsLastOwner(): (role: string) => boolean {
  const { api, orgId, can } = useOrganization();
  const { data } = useQuery({
    ...api.members.list.queryOptions({ input: { id: orgId, role: 'owner', page_size: 5 } }),
    enabled: can('read', 'Member'),
  });
  return (role) => role === 'owner' && data?.count === 1;
}
