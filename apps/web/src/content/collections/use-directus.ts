import { useQuery } from '@tanstack/react-query';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { collectionsQuery } from './item-queries.ts';

/** Whether collections are those of a connected Directus: what only the built-in backend can do is done there. */
export function useDirectus(): boolean {
  const scope = useOrganization();
  const { data } = useQuery({ ...collectionsQuery(scope), enabled: scope.can('read', 'Content') });
  return data?.backend === 'directus';
}
