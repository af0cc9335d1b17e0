import type { Item } from '@reachout/contract/content.ts';
import type { ContentBackend } from '../backend/content-backend.ts';
import type { AddressField } from '../built-in/address-items.queries.ts';

/** Contacts with one address that are looked for per collection of a Directus. */
const maxContacts = 500;

export interface RemoteContact {
  collection: string;
  item: Item;
}

/**
 * Finds a person's contacts in a Directus, by the field `email` and the fields to which filters send.
 * @throws 424 `backend_failed` and the other errors of a content backend
 */
export async function findRemotePerson(
  backend: ContentBackend,
  mapped: readonly AddressField[],
  addressKey: string,
): Promise<RemoteContact[]> {
  const found: RemoteContact[] = [];
  for (const { collection, has_contacts: hasContacts } of await backend.listCollections({
    with_hidden: true,
  })) {
    const names = mapped.filter((field) => field.collection === collection).map(({ field }) => field);
    const fields = [...new Set([...(hasContacts ? ['email'] : []), ...names])];
    if (fields.length === 0) continue;
    const filter = { _or: fields.map((field) => ({ [field]: { _icontains: addressKey } })) };
    const items = await backend.findItems(collection, { filter, limit: maxContacts, offset: 0 });
    // A longer address can contain this one.
    const isSame = (value: unknown) => typeof value === 'string' && value.trim().toLowerCase() === addressKey;
    for (const item of items)
      if (fields.some((field) => isSame(item[field]))) found.push({ collection, item });
  }
  return found;
}
