import type { Collection } from '@reachout/contract/content.ts';
import { isUsableFor } from '@reachout/contract/rules/owners.ts';
import { useQuery } from '@tanstack/react-query';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useOwners } from './use-owners.ts';

/**
 * The collections of contacts that something of this owner can use: its own, then those of its client, then shared ones.
 * @param owner  as `ownerKey` makes it
 */
export function useContactLists(owner: string): Collection[] {
  const { api, orgId, can } = useOrganization();
  const user = useOwners().resolve(owner);
  const { data } = useQuery(
    api.content.collections.queryOptions({
      input: { organization_id: orgId },
      enabled: can('read', 'Content'),
    }),
  );
  if (user === undefined) return [];
  const rank = ({ client_id, brand_id }: Collection) => (brand_id !== null ? 0 : client_id !== null ? 1 : 2);
  return (data?.data ?? [])
    .filter((list) => list.has_contacts && isUsableFor(list, user))
    .toSorted((one, other) => rank(one) - rank(other));
}
