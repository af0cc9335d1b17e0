import type { Collection } from '@reachout/contract/content.ts';
import { isUsableFor } from '@reachout/contract/rules/owners.ts';
import { useQuery } from '@tanstack/react-query';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ownerKey } from './owner-key.ts';
import { useOwners } from './use-owners.ts';

/**
 * The contact collections that a record of this owner can use: its own, then those of its client, then shared ones. Empty
 * while `useContactListsQuery` is loading.
 * @param owner  in the format of `ownerKey`
 */
export function useContactLists(owner: string): Collection[] {
  const { data } = useCollections();
  const user = useOwners().resolve(owner);
  if (user === undefined) return [];
  const rank = ({ client_id, brand_id }: Collection) => (brand_id !== null ? 0 : client_id !== null ? 1 : 2);
  return (data?.data ?? [])
    .filter((list) => list.has_contacts && isUsableFor(list, user))
    .toSorted((one, other) => rank(one) - rank(other));
}

/**
 * The owner that a new audience begins with, in the format of `ownerKey`: the organization, unless only collections of clients
 * have contacts.
 */
export function useFirstOwner(): string {
  const { data } = useCollections();
  const filled = (data?.data ?? []).filter((list) => list.has_contacts && list.item_count > 0);
  const first = filled.find(({ client_id }) => client_id === null) ?? filled[0];
  return first === undefined ? '' : ownerKey(first);
}

/**
 * The query state for `useContactLists`: its first query that has not succeeded yet, or otherwise the last one. Undefined if
 * the user can read none of them.
 */
export function useContactListsQuery() {
  const queries = [useOwners().query, useCollections()].filter(({ isEnabled }) => isEnabled);
  return queries.find(({ isSuccess }) => !isSuccess) ?? queries.at(-1);
}

function useCollections() {
  const { api, orgId, can } = useOrganization();
  return useQuery(
    api.content.collections.queryOptions({
      input: { organization_id: orgId },
      enabled: can('read', 'Content'),
    }),
  );
}
