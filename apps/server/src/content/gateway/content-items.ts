import { ORPCError } from '@orpc/contract';
import type { Item } from '@reachout/contract/content.ts';
import { isUsableFor } from '@reachout/contract/rules/owners.ts';
import { listContactFields, openContacts, type BackendAccess } from './contact-collection.ts';
import { findCollectionUse } from './contact-collection.queries.ts';
import { toStorableItem } from '../backend/storable-item.ts';
import type { ContentBackend } from '../backend/content-backend.ts';
import { createBuiltInBackend } from '../built-in/built-in-backend.ts';
import { findEndpoint } from '../directus/connection.queries.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** The content items that are merged into an email. */
export interface ContentSource {
  collection: string;
  /** Endpoint of the content backend; null for the built-in one. */
  endpoint: string | null;
  /** The chosen item. */
  itemId: string | null;
  /** How many of the newest items are listed. */
  count: number;
  /** The field by which items are newer than others; numeric keys grow with time. */
  newestBy: 'date_created' | 'id';
}

export interface ContentItems {
  /** Undefined if none is chosen, or it does not exist. */
  item: Item | undefined;
  /** The newest items, newest first. */
  items: Item[];
}

export const noItems: ContentItems = { item: undefined, items: [] };

/** Maximum bytes of JSON: each send stores the items with which it was confirmed. */
export const maxItemsBytes = 500_000;

export const bytesOf = (items: ContentItems): number => Buffer.byteLength(JSON.stringify(items));

/**
 * Finds out where the items of an email come from. The owner of a collection counts, even outside the access scope.
 * @returns a text for users if a brand cannot use the collection
 */
export async function findContentSource(
  trx: Transaction,
  organizationId: string,
  {
    collection,
    brandId,
    itemId,
    count,
  }: Pick<ContentSource, 'collection' | 'itemId' | 'count'> & { brandId: string },
): Promise<ContentSource | string> {
  const endpoint = await findEndpoint(trx, organizationId);
  const { owner, brand, isVisible } = await findCollectionUse(trx, { collection, endpoint }, brandId);
  if (owner === undefined) return `There is no collection ${collection} any more.`;
  if (brand === undefined || !isUsableFor(owner, brand))
    return `The collection ${collection} belongs to another client or brand.`;
  if (!isVisible) return `You cannot read the collection ${collection}.`;
  const isDated =
    endpoint === null ||
    (await listContactFields(trx, organizationId, { collection, endpoint })).some(
      ({ name }) => name === 'date_created',
    );
  return { collection, endpoint, itemId, count, newestBy: isDated ? 'date_created' : 'id' };
}

/**
 * Reads the items of an email. Must run outside transactions, because they may be remote.
 * @throws 424 `backend_failed` and the other errors of a content backend
 */
export async function readContentItems(access: BackendAccess, source: ContentSource): Promise<ContentItems> {
  const { deps, organizationId, run } = access;
  const { endpoint } = source;
  if (endpoint === null) return await run((trx) => readBuiltInItems(trx, organizationId, source));
  return await readItems(
    await openContacts(deps, organizationId, endpoint, run, { isAwaited: true }),
    source,
  );
}

/** Reads the items of an email from the built-in backend. */
export const readBuiltInItems = (
  trx: Transaction,
  organizationId: string,
  source: ContentSource,
): Promise<ContentItems> => readItems(createBuiltInBackend(trx, { organizationId, userId: null }), source);

async function readItems(
  backend: ContentBackend,
  { collection, itemId, count, newestBy }: ContentSource,
): Promise<ContentItems> {
  const item = itemId === null ? undefined : await findItem(backend, collection, itemId);
  const sort = [`-${newestBy}`];
  const items = count === 0 ? [] : await backend.findItems(collection, { sort, limit: count, offset: 0 });
  return { item: item && toStorable(item), items: items.slice(0, count).map(toStorable) };
}

async function findItem(backend: ContentBackend, collection: string, key: string): Promise<Item | undefined> {
  try {
    return await backend.getItem(collection, key);
  } catch (error) {
    if (error instanceof ORPCError && error.code === 'not_found') return undefined;
    throw error;
  }
}

const toStorable = (item: Item): Item => toStorableItem(item, Object.keys(item)) as Item;
