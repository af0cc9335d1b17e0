import type { ItemChanges, ItemDeletion } from '@reachout/contract/content-batches.ts';
import type { Item } from '@reachout/contract/content.ts';
import { maxBatch } from '@reachout/contract/rules/lengths.ts';
import type { AuditNote } from '../../identity/access/audit.ts';
import type { ContentBackend } from '../backend/content-backend.ts';
import { invalidQuery } from '../backend/content-errors.ts';
import { hasCondition, parseItemFilter } from '../backend/item-filter.ts';
import { isItemKey } from '../directus/check-names.ts';
import { findKeys } from './read-items.ts';
import { readQuery, type RestQuery } from './read-query.ts';

/** One item, or all or none of a list, in the order in which they came. */
export const createItems = async (
  backend: ContentBackend,
  collection: string,
  given: Item | Item[],
): Promise<Item | Item[]> =>
  Array.isArray(given)
    ? await backend.createItems(collection, given)
    : await backend.createItem(collection, given);

/** `{ keys, data }`, `{ query, data }`, or a list of items with their ids: all or none. */
export async function updateItems(
  backend: ContentBackend,
  collection: string,
  given: ItemChanges,
): Promise<Item[]> {
  const changes = Array.isArray(given)
    ? given
    : (await keysOf(backend, collection, given)).map((key) => ({ key, data: given.data }));
  return await backend.updateItems(collection, changes);
}

/** A list of keys, `{ keys }` or `{ query }`: all or none. @returns the keys */
export async function deleteItems(
  backend: ContentBackend,
  collection: string,
  given: ItemDeletion,
): Promise<string[]> {
  const keys = await keysOf(backend, collection, Array.isArray(given) ? { keys: given } : given);
  await backend.deleteItems(collection, keys);
  return keys;
}

/** Whether a body names its items by what they have. */
export const hasQuery = (given: ItemChanges | ItemDeletion): boolean => 'query' in given;

/** Each of them once. */
const keysOf = async (
  backend: ContentBackend,
  collection: string,
  given: { keys: string[] } | { query: Record<string, unknown> },
): Promise<string[]> =>
  'keys' in given
    ? [...new Set(given.keys)]
    : await findKeys(backend, collection, await readWriteQuery(backend, collection, given.query), maxBatch);

const writeParameters = new Set(['fields', 'filter', 'search', 'sort', 'limit', 'offset', 'page']);

/**
 * The query of a write needs a condition, and every parameter and condition of it has to be understood: Directus ignores
 * what it does not know, and a misspelled `filter` would then change or delete all items.
 * @throws `invalid_query`
 */
async function readWriteQuery(
  backend: ContentBackend,
  collection: string,
  given: Readonly<Record<string, unknown>>,
): Promise<RestQuery> {
  const unknown = Object.keys(given).find((name) => !writeParameters.has(name));
  if (unknown !== undefined) throw invalidQuery(`query: There is no parameter “${unknown}” here.`);
  const query = readQuery(given);
  const fields = (await backend.listFields(collection)).map(({ field, type }) => ({ name: field, type }));
  if (!hasCondition(parseItemFilter(query.filter, fields))) {
    throw invalidQuery('query: Say in “filter” which items are meant. All are { "id": { "_nnull": true } }.');
  }
  return query;
}

/** Keys of one entry of the audit log. */
const maxNotedKeys = 20;

/** One note on all items that a request has written: their number, and the first of their keys. */
export function noteOfItems(collection: string, keys: readonly string[]): AuditNote {
  // Others may be data of people: a Directus takes any field for its key.
  const harmless = keys.filter(isItemKey);
  if (keys.length === 1) return { record_id: harmless[0], details: { collection } };
  return {
    record_id: undefined,
    details: { collection, count: keys.length, keys: harmless.slice(0, maxNotedKeys) },
  };
}
