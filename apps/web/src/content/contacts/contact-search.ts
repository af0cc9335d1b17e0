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
  ...readCollection(raw),
}));
