import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import type { Owner } from '@reachout/contract/rules/owners.ts';
import type { ContentFiles } from './content-files.ts';
import { ORPCError } from '@orpc/contract';
import { apiErrors } from '@reachout/contract/errors.ts';
import { apiError } from '../../platform/http/api-error.ts';

/**
 * Stores an organization's contacts and editorial content: the built-in backend or the organization's own Directus.
 *
 * All methods throw API errors: 404 `not_found` for a missing collection or item, 400 `invalid_query`, 422
 * `validation_failed` and 409 `not_unique` as declared in the contract's group `content`; a Directus also throws 424
 * `backend_failed`. The built-in backend runs in a transaction, which must end after an error.
 */
export interface ContentBackend {
  files: ContentFiles;
  /** Collections of users in their display order, without platform collections; hidden ones only with `with_hidden`. */
  listCollections(query?: {
    client_id?: string | undefined;
    brand_id?: string | undefined;
    with_hidden?: boolean;
  }): Promise<
    ({
      collection: string;
      label: string | null;
      hidden: boolean;
      sort: number | null;
      item_count: number;
      has_contacts: boolean;
    } & Owner)[]
  >;
  /** All fields by name, including hidden ones and the system columns of every item. */
  listFields(collection: string): Promise<Field[]>;
  findItems(collection: string, query: ItemsQuery): Promise<Item[]>;
  /** Reads any number of items in batches that fit in memory. */
  readItems(collection: string, query: ItemsQuery): AsyncIterable<Item[]>;
  /** Counts the items that match a query; `{}` counts all. Counting may stop at `atMost`. */
  countItems(
    collection: string,
    query: Pick<ItemsQuery, 'filter' | 'search'>,
    options?: { atMost?: number },
  ): Promise<number>;
  /** Returns one row per group, or one row for all matching items. */
  aggregateItems(collection: string, query: AggregateQuery): Promise<Item[]>;
  getItem(collection: string, key: string): Promise<Item>;
  /** Silently ignores fields that the collection does not have, as Directus does. */
  createItem(collection: string, data: Item): Promise<Item>;
  /** Updates only the given fields. */
  updateItem(collection: string, key: string, data: Item, options?: UpdateOptions): Promise<Item>;
  deleteItem(collection: string, key: string): Promise<void>;
  /** Creates all items or none. @returns the items in the given order */
  createItems(collection: string, items: readonly Item[]): Promise<Item[]>;
  /** Updates all items or none. @returns the items in the given order */
  updateItems(collection: string, changes: readonly ItemChange[]): Promise<Item[]>;
  /** Deletes all items or none. */
  deleteItems(collection: string, keys: readonly string[]): Promise<void>;
}

export interface ItemChange {
  key: string;
  /** The fields that change. */
  data: Item;
}

/** A backend that runs within a transaction, without its batch operations. */
export interface SingleItems extends Omit<ContentBackend, 'createItems' | 'updateItems' | 'deleteItems'> {
  /** Locks these items until the transaction ends; ignores missing ones. */
  lockItems(collection: string, keys: readonly string[]): Promise<void>;
}

/** Batch operations for a backend that runs within a transaction: processes the items one by one in the given order. */
export const oneByOne = ({
  lockItems,
  createItem,
  updateItem,
  deleteItem,
}: Pick<SingleItems, 'lockItems' | 'createItem' | 'updateItem' | 'deleteItem'>): Pick<
  ContentBackend,
  'createItems' | 'updateItems' | 'deleteItems'
> => ({
  async createItems(collection, given) {
    const items: Item[] = [];
    for (const data of given) items.push(await createItem(collection, data));
    return items;
  },
  async updateItems(collection, changes) {
    await lockItems(
      collection,
      changes.map(({ key }) => key),
    );
    const items: Item[] = [];
    for (const { key, data } of changes) items.push(await updateItem(collection, key, data));
    return items;
  },
  async deleteItems(collection, keys) {
    await lockItems(collection, keys);
    for (const key of keys) await deleteItem(collection, key);
  },
});

export interface ItemsQuery {
  /** A rule in the filter language of Directus, not yet validated. */
  filter?: unknown;
  /** Text that an item must contain in any field. */
  search?: string | undefined;
  /** Field names, with a `-` prefix for descending. Ties are ordered by key. */
  sort?: readonly string[];
  limit: number;
  offset: number;
  /** Only items after this key, in key order regardless of `sort`: a cursor for reading all items in pages. */
  after?: string | undefined;
  /** Only these fields; default: all. */
  fields?: readonly string[] | undefined;
}

export const aggregateFunctions = ['count', 'countDistinct', 'sum', 'avg', 'min', 'max'] as const;
export type AggregateFunction = (typeof aggregateFunctions)[number];

export interface AggregateQuery extends Pick<ItemsQuery, 'filter' | 'search'> {
  /** `*` means the items themselves and can only be counted. */
  aggregate: readonly { function: AggregateFunction; field: string }[];
  groupBy: readonly string[];
  /** Fields of `groupBy`, with a `-` prefix for descending. */
  sort?: readonly string[];
  limit: number;
  offset: number;
}

export interface UpdateOptions {
  /** The `date_updated` that the caller has read; 409 `changed_elsewhere` if it has changed since. */
  ifDateUpdated?: string | undefined;
}

/**
 * Whether a collection belongs to the platform or to Directus itself. These have their own operations, or none.
 */
export const isPlatformCollection = (collection: string): boolean =>
  collection.startsWith('reachout_') || collection.startsWith('directus_');

/** Errors of content operations, as declared in the contract's `backendErrors`. */
export const invalidQuery = (reason: string) => apiError('invalid_query', { reason });

/** A query with a field that the collection does not have: `invalid_query`; Directus sends 403. */
export class UnknownField extends ORPCError<string, { reason: string }> {
  constructor(reason: string) {
    super('invalid_query', { ...apiErrors.invalid_query, defined: true, data: { reason } });
  }
}

export const validationFailed = (errors: { path: string; message: string }[]) =>
  apiError('validation_failed', { errors });

export const notUnique = (field: string) => apiError('not_unique', { field });

export const changedElsewhere = () => apiError('changed_elsewhere');
