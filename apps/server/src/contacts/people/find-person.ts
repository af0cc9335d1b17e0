import { listMappedFields } from '../audiences/address-fields.queries.ts';
import {
  listEmailFields,
  listItemsWithLocalPart,
  type ItemKey,
  type AddressField,
} from '../../content/built-in/address-items.queries.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { keptKeyOf } from '../consent/subscription.ts';
import { domainToUnicode } from 'node:url';
import type { Item } from '@reachout/contract/content.ts';
import type { ContentBackend } from '../../content/backend/content-backend.ts';

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

/** Whether a value is this address, in any spelling. */
export const isAddress = (value: unknown, addressKey: string): boolean => keptKeyOf(value) === addressKey;

/**
 * Decides whose item it is that has an address: that of its field `email`; without a value there, of a field to which filters
 * send. An address in any other field (a friend, a manager) does not make the item theirs.
 * @param fields.all  all fields that can hold addresses
 * @returns `names`: the fields with this address
 */
function placesOf(
  addressKey: string,
  data: Record<string, unknown>,
  fields: { mapped: readonly string[]; all: readonly string[] },
): { isOwn: boolean; names: string[] } {
  const names = [...new Set(fields.all)].filter((name) => isAddress(data[name], addressKey));
  const hasOther = keptKeyOf(data['email']) !== undefined;
  const isOwn = names.includes('email') || (!hasOther && names.some((name) => fields.mapped.includes(name)));
  return { isOwn, names };
}

/** Per collection: items of a Directus that are searched for an address, among them some with longer addresses. */
const maxRemoteItems = 100_000;

interface RemoteItem {
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
    for await (const items of backend.readItems(collection, { filter, limit: maxRemoteItems, offset: 0 }))
      yield {
        collection,
        items: items
          .map((item) => ({ item, ...placesOf(addressKey, item, { mapped, all }) }))
          .filter(({ names }) => names.length > 0),
      };
  }
}
