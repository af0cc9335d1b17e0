import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import type { Collection } from '@reachout/contract/content.ts';
import { useQuery } from '@tanstack/react-query';

/**
 * The collection whose contacts merge tags are shown with: that of the email's audience, else the first one that the brand can
 * use, else the first of all, in any content backend.
 * @returns `collection`: undefined while it is loading, and without contacts; `lists`: those to choose from
 */
export function useExampleContacts(
  {
    brandId,
    filterId = null,
    contacts: chosen,
  }: { brandId?: string | undefined; filterId?: string | null; contacts?: string | undefined } = {},
  isWanted = true,
) {
  const { api, orgId, can } = useOrganization();
  const enabled = isWanted && can('read', 'Content');
  const listsOf = (brand_id: string | undefined) =>
    api.content.collections.queryOptions({ input: compact({ organization_id: orgId, brand_id }) });
  const filter = useQuery(
    api.filters.get.queryOptions({
      input: { id: filterId ?? '' },
      enabled: enabled && filterId !== null && can('read', 'Filter'),
    }),
  );
  const ofBrand = useQuery({ ...listsOf(brandId), enabled });
  const own = sortContactLists(ofBrand.data?.data ?? []);
  const all = useQuery({ ...listsOf(undefined), enabled: enabled && ofBrand.isSuccess && own.length === 0 });
  const lists = own.length > 0 ? own : sortContactLists(all.data?.data ?? []);
  const isLoading = filter.isLoading || ofBrand.isLoading || all.isLoading;
  const collection = isLoading
    ? undefined
    : chooseExampleList(lists, { chosen, ofAudience: filter.data?.collection });
  return { collection, lists, isLoading };
}

type List = Pick<Collection, 'collection' | 'has_contacts' | 'client_id' | 'brand_id'>;

/** The lists of contacts: those of a brand first, then of a client, then shared ones. */
export const sortContactLists = <L extends List>(lists: readonly L[]): L[] =>
  lists.filter(({ has_contacts }) => has_contacts).toSorted((one, other) => rank(one) - rank(other));

const rank = ({ client_id, brand_id }: List) => (brand_id !== null ? 0 : client_id !== null ? 1 : 2);

/**
 * The list whose contacts merge tags are shown with.
 * @param lists  those of the brand, or else all
 * @param chosen  by the user; counts while it is one of the lists
 * @param ofAudience  the collection of the email's audience
 */
export const chooseExampleList = (
  lists: readonly List[],
  { chosen, ofAudience }: { chosen?: string | undefined; ofAudience?: string | undefined },
): string | undefined =>
  ofAudience ?? (lists.find(({ collection }) => collection === chosen) ?? lists[0])?.collection;
