import { domainToUnicode } from 'node:url';
import type { Item } from '@reachout/contract/content.ts';
import type { ContentBackend } from '../../content/backend/content-backend.ts';
import type { AddressField } from '../../content/built-in/address-items.queries.ts';
import { placesOf } from './places-of-address.ts';

/** Per collection: items of a Directus that are searched for an address, among them some with longer addresses. */
const maxItems = 100_000;

export interface RemoteItem {
  item: Item;
  isOwn: boolean;
  /** The fields with the address: those of somebody else, too. */
  names: string[];
}

/**
 * Finds a person's contacts in a Directus, by the field `email` and the fields to which filters send, and where else in these
 * the address stands, page by page.
 * @throws 424 `backend_failed` and the other errors of a content backend
 */
export async function* findRemotePerson(
  backend: ContentBackend,
  mappedFields: readonly AddressField[],
  addressKey: string,
): AsyncGenerator<{ collection: string; items: RemoteItem[] }> {
  const at = addressKey.lastIndexOf('@') + 1;
  // A Directus compares text; it stores the domain as it was entered.
  const spellings = new Set([addressKey, addressKey.slice(0, at) + domainToUnicode(addressKey.slice(at))]);
  for (const { collection, has_contacts: hasContacts } of await backend.listCollections({
    with_hidden: true,
  })) {
    const mapped = mappedFields.filter((field) => field.collection === collection).map(({ field }) => field);
    const all = [...new Set([...(hasContacts ? ['email'] : []), ...mapped])];
    if (all.length === 0) continue;
    const filter = {
      _or: all.flatMap((field) => [...spellings].map((text) => ({ [field]: { _icontains: text } }))),
    };
    for await (const items of backend.readItems(collection, { filter, limit: maxItems, offset: 0 }))
      yield {
        collection,
        items: items
          .map((item) => ({ item, ...placesOf(addressKey, item, { mapped, all }) }))
          .filter(({ names }) => names.length > 0),
      };
  }
}
