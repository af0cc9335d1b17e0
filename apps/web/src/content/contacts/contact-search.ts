import type { Collection } from '@reachout/contract/content.ts';
import { checked } from '#web/platform/list-search.ts';
import { readItemsSearch, type ItemsSearch } from '#web/content/collections/item-queries.ts';

/** The contact collection that every organization starts with. */
export const contactCollection = 'contacts';

export interface ContactSearch {
  /** Collection of the contact, unless it is the one that every organization starts with. */
  collection?: string;
}

function readCollection({ collection }: Record<string, unknown>): ContactSearch {
  const isOther =
    typeof collection === 'string' &&
    /^[a-z][a-z0-9_]{0,62}$/.test(collection) &&
    collection !== contactCollection;
  return isOther ? { collection } : {};
}

export const readContactSearch = checked(readCollection);

type ContactsSearch = ItemsSearch & ContactSearch;

export const readContactsSearch = checked((raw): ContactsSearch => ({
  ...readItemsSearch(raw),
  ...(raw['collection'] === contactCollection ? { collection: contactCollection } : readCollection(raw)),
}));

/**
 * The list that the page of contacts begins with: the chosen client's own, otherwise the shared one that every organization
 * starts with, unless it is empty and another one is not.
 * @param clientId  the client chosen in the navigation
 */
export function firstContacts(
  lists: readonly Pick<Collection, 'collection' | 'client_id' | 'item_count'>[],
  clientId: string | undefined,
): string {
  const starting = lists.find(({ collection }) => collection === contactCollection);
  const filled = lists.filter(({ item_count }) => item_count > 0);
  const own = filled.find(({ client_id }) => client_id !== null && client_id === clientId);
  const first = own ?? filled.find((list) => list === starting) ?? filled[0] ?? starting ?? lists[0];
  return first?.collection ?? contactCollection;
}
