import { useQuery } from '@tanstack/react-query';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { collectionsQuery } from './item-queries.ts';

/**
 * Whether the collections are those of a connected Directus, where changes that only the built-in backend supports are made
 * in the Directus itself.
 */
export function useDirectus(): boolean {
  const scope = useOrganization();
  const { data } = useQuery({ ...collectionsQuery(scope), enabled: scope.can('read', 'Content') });
  return data?.backend === 'directus';
}
