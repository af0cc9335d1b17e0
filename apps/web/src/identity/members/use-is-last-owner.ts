import { useQuery } from '@tanstack/react-query';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ownersQuery } from './owners-query.ts';

/**
 * Whether this role belongs to the only owner. False while that is not known: the server responds with `last_owner` in
 * any case.
 */
export function useIsLastOwner(): (role: string) => boolean {
  const scope = useOrganization();
  const { data } = useQuery({ ...ownersQuery(scope), enabled: scope.can('read', 'Member') });
  return (role) => role === 'owner' && data?.count === 1;
}
