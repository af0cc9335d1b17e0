import { useQuery } from '@tanstack/react-query';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';

/** Who can give permissions, and whether the last owner may leave. Needs the permission to see members. */
export const ownersQuery = ({ api, orgId }: OrganizationContext) =>
  api.members.list.queryOptions({ input: { id: orgId, role: 'owner', page_size: 5 } });

/**
 * Whether this role belongs to the only owner. False while that is not known: the server responds with `last_owner` in
 * any case.
 */
export function useIsLastOwner(): (role: string) => boolean {
  const scope = useOrganization();
  const { data } = useQuery({ ...ownersQuery(scope), enabled: scope.can('read', 'Member') });
  return (role) => role === 'owner' && data?.count === 1;
}
