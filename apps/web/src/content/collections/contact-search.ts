import type { Collection } from '@reachout/contract/content.ts';
import { checked, compact } from '#web/platform/list-search.ts';
import { readItemsSearch, type ItemsSearch } from './item-queries.ts';

/** The contact collection that every organization starts with. */
export const contactCollection = 'contacts';

interface ContactsSearch extends ItemsSearch {
  /** Without it, an open contact is in `contactCollection`, and the list is that of `firstContacts`. */
  collection?: string;
  /** Whether the list is shown beside the contact that is open, where there is room. */
  beside?: true;
}

export const readContactsSearch = checked((raw): ContactsSearch => {
  const { collection, beside } = raw;
  const isName = typeof collection === 'string' && /^[a-z][a-z0-9_]{0,62}$/.test(collection);
  return compact({
    ...readItemsSearch(raw),
    collection: isName ? collection : undefined,
    beside: beside === true ? (true as const) : undefined,
  });
});

/** The search of the list that the open contact is in. */
export const withoutContact = ({
  beside: _beside,
  collection = contactCollection,
  ...list
}: ContactsSearch): ContactsSearch => ({ ...list, collection });

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
