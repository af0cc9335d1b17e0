import { z } from 'zod';
import type { Item } from '@reachout/contract/content.ts';
import { fieldName, itemData } from '@reachout/contract/values.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ContentBackend } from '../backend/content-backend.ts';
import { eraseContact } from '../contacts/erase-notes.ts';
import { findKeys } from './read-items.ts';
import { readQuery } from './read-query.ts';
import { invalidPayload } from './rest-error.ts';

/** Items that one request may create, change or delete. */
export const maxBatch = 500;

const Key = z.union([z.string().min(1).max(255), z.int()]).transform(String);
const Keys = z.array(Key).max(maxBatch);
const Query = z.record(z.string(), z.unknown());

const Creation = z.union([itemData, z.array(itemData).max(maxBatch)]);
const Change = z.union([
  z.object({ keys: Keys, data: itemData }),
  z.object({ query: Query, data: itemData }),
  z.array(z.looseObject({ id: Key })).max(maxBatch),
]);
const Deletion = z.union([Keys, z.object({ keys: Keys }), z.object({ query: Query })]);

/** One item, or all or none of a list, in the order in which they came. */
export async function createItems(
  backend: ContentBackend,
  collection: string,
  body: unknown,
): Promise<Item | Item[]> {
  const given = read(Creation, body, 'Use an item, or a list of at most 500 items.');
  if (!Array.isArray(given)) return await backend.createItem(collection, given);
  return await backend.createItems(collection, given);
}

export const readChanges = (body: unknown): Item =>
  read(itemData, body, 'Use an object with the values of fields.');

/** `{ keys, data }`, `{ query, data }`, or a list of items with their ids: all or none. */
export async function updateItems(
  backend: ContentBackend,
  collection: string,
  body: unknown,
): Promise<Item[]> {
  const given = read(
    Change,
    body,
    'Use { keys, data }, { query, data } or a list of items with their id; at most 500 items.',
  );
  const changes = Array.isArray(given)
    ? given.map(({ id, ...data }) => ({ key: id, data: readChanges(data) }))
    : (await keysOf(backend, collection, given)).map((key) => ({ key, data: given.data }));
  return await backend.updateItems(collection, changes);
}

/** A list of keys, `{ keys }` or `{ query }`: all or none. @returns the keys */
export async function deleteItems(
  trx: Transaction,
  backend: ContentBackend,
  { organizationId, collection }: { organizationId: string; collection: string },
  body: unknown,
): Promise<string[]> {
  const given = read(Deletion, body, 'Use a list of keys, { keys } or { query }; at most 500 items.');
  const keys = Array.isArray(given) ? given : await keysOf(backend, collection, given);
  await backend.deleteItems(collection, keys);
  for (const key of keys) await eraseContact(trx, { organizationId, collection, key });
  return keys;
}

/** Whether a body names its items by what they have. */
export const hasQuery = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'query' in body;

const keysOf = async (
  backend: ContentBackend,
  collection: string,
  given: { keys: string[] } | { query: Record<string, unknown> },
): Promise<string[]> =>
  'keys' in given ? given.keys : await findKeys(backend, collection, readQuery(given.query), maxBatch);

function read<T extends z.ZodType>(schema: T, body: unknown, reason: string): z.output<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const isName = issue?.path.some((part) => typeof part === 'string' && !fieldName.safeParse(part).success);
  throw invalidPayload(
    isName === true ? 'Names of fields have lower-case letters, digits and underscores.' : reason,
  );
}
