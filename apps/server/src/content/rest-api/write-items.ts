import { consentMeaningOf, plainHeading } from '@reachout/contract/rules/consent-column.ts';
import { takeUnreadable } from '@reachout/contract/rules/unreadable-values.ts';
import type { ItemChanges, ItemDeletion } from '@reachout/contract/content-batches.ts';
import type { Item } from '@reachout/contract/content.ts';
import { maxBatch } from '@reachout/contract/rules/lengths.ts';
import type { AuditNote } from '../../identity/access/audit.ts';
import { invalidQuery, validationFailed, type ContentBackend } from '../backend/content-backend.ts';
import { hasCondition } from '../backend/filter-rule.ts';
import { parseItemFilter } from '../backend/item-filter.ts';
import { isItemKey } from '../directus/check-names.ts';
import { findKeys } from './read-items.ts';
import { readQuery, type RestQuery } from './read-query.ts';

/** Creates one item, or all or none of a list, in the given order. */
export const createItems = async (
  backend: ContentBackend,
  collection: string,
  given: Item | Item[],
): Promise<Item | Item[]> => {
  await requireConsentFields(backend, collection, [given].flat());
  return Array.isArray(given)
    ? await backend.createItems(collection, given)
    : await backend.createItem(collection, given);
};

/** Updates all or none of `{ keys, data }`, `{ query, data }`, or a list of items with their ids. */
export async function updateItems(
  backend: ContentBackend,
  collection: string,
  given: ItemChanges,
): Promise<Item[]> {
  const changes = Array.isArray(given)
    ? given
    : (await keysOf(backend, collection, given)).map((key) => ({ key, data: given.data }));
  await requireConsentFields(
    backend,
    collection,
    changes.map(({ data }) => data),
  );
  return await backend.updateItems(collection, changes);
}

/**
 * Names that no field has are left out of a contact, unless they are about consents: `Unsubscribed` or `opt_out` would be lost,
 * and the contact would get mail.
 * @throws 422 `validation_failed`
 */
export async function requireConsentFields(
  backend: ContentBackend,
  collection: string,
  items: readonly Item[],
): Promise<void> {
  const names = new Set(items.flatMap((item) => Object.keys(item)));
  const ofConsent = [...names].filter((name) => consentMeaningOf(plainHeading(name)) !== undefined);
  if (ofConsent.length === 0 || takeUnreadable('item_unknown_field', null) !== 'rejected') return;
  const known = new Set((await backend.listFields(collection)).map(({ field }) => field));
  const unknown = ofConsent.filter((name) => !known.has(name));
  if (!known.has('email') || unknown.length === 0) return;
  const message = 'There is no such field, so this consent or opt-out would be lost.';
  throw validationFailed(unknown.map((path) => ({ path, message })));
}

/** Deletes all or none of a list of keys, `{ keys }` or `{ query }`. @returns the keys */
export async function deleteItems(
  backend: ContentBackend,
  collection: string,
  given: ItemDeletion,
): Promise<string[]> {
  const keys = await keysOf(backend, collection, Array.isArray(given) ? { keys: given } : given);
  await backend.deleteItems(collection, keys);
  return keys;
}

/** Whether a body selects its items by a query. */
export const hasQuery = (given: ItemChanges | ItemDeletion): boolean => 'query' in given;

/** @returns the keys without duplicates */
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
 * The query of a write must have a condition, and all of its parameters and conditions must be known: Directus ignores
 * unknown ones, and a misspelled `filter` would then change or delete all items.
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

/** Maximum keys in an entry of the audit log. */
const maxNotedKeys = 20;

/** One audit note for all items that a request has written: their number and their first keys. */
export function noteOfItems(collection: string, keys: readonly string[]): AuditNote {
  // Other keys may be personal data: in a Directus, any field can be the key.
  const harmless = keys.filter(isItemKey);
  if (keys.length === 1) return { record_id: harmless[0], details: { collection } };
  return {
    record_id: undefined,
    details: { collection, count: keys.length, keys: harmless.slice(0, maxNotedKeys) },
  };
}
