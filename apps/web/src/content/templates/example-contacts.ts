import type { Collection } from '@reachout/contract/content.ts';

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
