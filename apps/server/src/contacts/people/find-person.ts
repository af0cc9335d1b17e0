import { listMappedFields } from '../audiences/address-fields.queries.ts';
import {
  listEmailFields,
  listItemsWithLocalPart,
  type ItemKey,
} from '../../content/built-in/address-items.queries.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { placesOf } from './places-of-address.ts';

export type { ItemKey } from '../../content/built-in/address-items.queries.ts';
export { selectContacts, selectGivenContacts } from './note.queries.ts';
export { deleteReadContacts, listMappedFields } from '../audiences/address-fields.queries.ts';

/** An item of somebody else with the person's address in some fields. */
export interface Mention extends ItemKey {
  /** These fields alone. */
  fields: Record<string, unknown>;
}

export interface PersonItems {
  own: ItemKey[];
  mentions: Mention[];
  /** Whether there are more of them. */
  isCut: boolean;
}

/** At once, in memory: a collection may have a million items with one address. */
const maxItems = 10_000;
const itemsAtOnce = 1_000;

/** Finds a person's contacts in all collections of the built-in backend, and where else the address stands. */
export async function findPersonItems(
  trx: Transaction,
  organizationId: string,
  addressKey: string,
): Promise<PersonItems> {
  const mapped = await listMappedFields(trx, organizationId);
  const fields = [...(await listEmailFields(trx, organizationId)), ...mapped];
  const found: PersonItems = { own: [], mentions: [], isCut: false };
  const page = { after: { collection: '', id: '' }, limit: itemsAtOnce };
  while (!found.isCut) {
    const items = await listItemsWithLocalPart(trx, organizationId, fields, addressKey, page);
    for (const { collection, id, values } of items) {
      const namesIn = (of: typeof fields) =>
        of.filter((field) => field.collection === collection).map(({ field }) => field);
      const { isOwn, names } = placesOf(addressKey, values, {
        mapped: namesIn(mapped),
        all: namesIn(fields),
      });
      if (isOwn) found.own.push({ collection, id });
      else if (names.length > 0)
        found.mentions.push({
          collection,
          id,
          fields: Object.fromEntries(names.map((name) => [name, values[name]])),
        });
    }
    if (items.length < itemsAtOnce) break;
    page.after = items.at(-1)!;
    found.isCut = found.own.length + found.mentions.length >= maxItems;
  }
  return found;
}
