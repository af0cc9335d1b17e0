import { useQuery } from '@tanstack/react-query';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';

/** The owners, who can grant permissions; shows whether the last one may leave. Requires permission to read members. */
export const ownersQuery = ({ api, orgId }: OrganizationContext) =>
  api.members.list.queryOptions({ input: { id: orgId, role: 'owner', page_size: 5 } });

/**
 * @returns a function that tells whether this role belongs to the only owner. False while unknown: the server enforces
 * `last_owner` in any case.
 */
export function useIsLastOwner(): (role: string) => boolean {
  const scope = useOrganization();
  const { data } = useQuery({ ...ownersQuery(scope), enabled: scope.can('read', 'Member') });
  return (role) => role === 'owner' && data?.count === 1;
}
