import type { Field, Item } from '@reachout/contract/content.ts';
import type { Owner } from '@reachout/contract/rules/owners.ts';
import type { ContentFiles } from './content-files.ts';

/**
 * Where an organization's contacts and editorial content are kept: in the built-in backend, or in a Directus of its own.
 *
 * All methods throw API errors: 404 `not_found` for a collection or item that is not there, 400 `invalid_query`, 422
 * `validation_failed` and 409 `not_unique` as the contract's group `content` declares them; a Directus also 424
 * `backend_failed`. The built-in backend works in a transaction, which has to end after an error.
 */
export interface ContentBackend {
  files: ContentFiles;
  /** Collections for people, in their order: without those of the platform, and hidden ones unless they are asked for. */
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
  /** All fields, also hidden ones and the columns that every item has, by name. */
  listFields(collection: string): Promise<Field[]>;
  findItems(collection: string, query: ItemsQuery): Promise<Item[]>;
  /** The same items in pieces that fit in memory, for as many as there may be. */
  readItems(collection: string, query: ItemsQuery): AsyncIterable<Item[]>;
  /** How many items a query without paging finds; `{}` counts all. With `atMost` it need not count any further than that. */
  countItems(
    collection: string,
    query: Pick<ItemsQuery, 'filter' | 'search'>,
    options?: { atMost?: number },
  ): Promise<number>;
  /** One row for each group, or for all that the query finds. */
  aggregateItems(collection: string, query: AggregateQuery): Promise<Item[]>;
  getItem(collection: string, key: string): Promise<Item>;
  /** Fields that the collection does not have are left out without a word, as in Directus. */
  createItem(collection: string, data: Item): Promise<Item>;
  /** Changes the given fields only. */
  updateItem(collection: string, key: string, data: Item, options?: UpdateOptions): Promise<Item>;
  deleteItem(collection: string, key: string): Promise<void>;
  /** All or none of them. @returns the items in this order */
  createItems(collection: string, items: readonly Item[]): Promise<Item[]>;
  /** All or none of them. @returns the items in this order */
  updateItems(collection: string, changes: readonly ItemChange[]): Promise<Item[]>;
  /** All or none of them. */
  deleteItems(collection: string, keys: readonly string[]): Promise<void>;
}

export interface ItemChange {
  key: string;
  /** The fields that change. */
  data: Item;
}

/** A backend that works within a transaction, without its batches. */
export interface SingleItems extends Omit<ContentBackend, 'createItems' | 'updateItems' | 'deleteItems'> {
  /** Keeps others from changing these items until the transaction ends; of those that are not there it says nothing. */
  lockItems(collection: string, keys: readonly string[]): Promise<void>;
}

/** Batches of a backend that works within a transaction: one item after the other, in the order in which they are given. */
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
  /** A rule in the filter language of Directus, not yet checked. */
  filter?: unknown;
  /** Items that contain this text somewhere. */
  search?: string | undefined;
  /** Field names, `-` in front for descending. What is equal comes by key. */
  sort?: readonly string[];
  limit: number;
  offset: number;
  /** Only items behind this key, in the order of keys, whatever `sort` says: for reading all of them page by page. */
  after?: string | undefined;
  /** Only these fields; default: all. */
  fields?: readonly string[] | undefined;
}

export const aggregateFunctions = ['count', 'countDistinct', 'sum', 'avg', 'min', 'max'] as const;
export type AggregateFunction = (typeof aggregateFunctions)[number];

export interface AggregateQuery extends Pick<ItemsQuery, 'filter' | 'search'> {
  /** `*` stands for the items themselves and can be counted only. */
  aggregate: readonly { function: AggregateFunction; field: string }[];
  groupBy: readonly string[];
  /** Fields of `groupBy`, `-` in front for descending. */
  sort?: readonly string[];
  limit: number;
  offset: number;
}

export interface UpdateOptions {
  /** The `date_updated` that the caller knows; 409 `changed_elsewhere` when it is no longer that. */
  ifDateUpdated?: string | undefined;
}

/**
 * Collections of the platform, or of Directus itself: they have other operations, or none.
 */
export const isPlatformCollection = (collection: string): boolean =>
  collection.startsWith('reachout_') || collection.startsWith('directus_');
