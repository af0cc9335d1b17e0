import { checked } from '#web/platform/list-search.ts';
import { readItemsSearch, type ItemsSearch } from '#web/content/collections/item-queries.ts';

/** The collection of contacts that every organization starts with. */
export const contactCollection = 'contacts';

export interface ContactSearch {
  /** In which collection a contact is, where it is not the one that organizations start with. */
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
  ...readCollection(raw),
}));
