import { listMappedFields } from '../audiences/address-fields.queries.ts';
import {
  listEmailFields,
  listItemsWithLocalPart,
  type AddressItem,
} from '../built-in/address-items.queries.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { placesOf } from './places-of-address.ts';

export { listNotes } from './note.queries.ts';
export { deleteReadContacts, listMappedFields } from '../audiences/address-fields.queries.ts';
export type { AddressItem } from '../built-in/address-items.queries.ts';

/** An item of somebody else with the person's address in some fields. */
export interface Mention {
  collection: string;
  id: string;
  fields: Record<string, unknown>;
}

export interface PersonItems {
  own: AddressItem[];
  mentions: Mention[];
}

/** Finds a person's contacts in all collections of the built-in backend, and where else the address stands. */
export async function findPersonItems(
  trx: Transaction,
  organizationId: string,
  addressKey: string,
): Promise<PersonItems> {
  const mapped = await listMappedFields(trx, organizationId);
  const fields = [...(await listEmailFields(trx, organizationId)), ...mapped];
  const found: PersonItems = { own: [], mentions: [] };
  for (const item of await listItemsWithLocalPart(trx, organizationId, fields, addressKey)) {
    const { collection, id, data } = item;
    const namesIn = (of: typeof fields) =>
      of.filter((field) => field.collection === collection).map(({ field }) => field);
    const { isOwn, names } = placesOf(addressKey, data, { mapped: namesIn(mapped), all: namesIn(fields) });
    if (isOwn) found.own.push(item);
    else if (names.length > 0)
      found.mentions.push({
        collection,
        id,
        fields: Object.fromEntries(names.map((name) => [name, data[name]])),
      });
  }
  return found;
}
