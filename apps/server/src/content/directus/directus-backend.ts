import { ORPCError } from '@orpc/contract';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import type { Preset } from '@reachout/contract/content-presets.ts';
import { fieldName } from '@reachout/contract/values.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { newId } from '../../platform/ids.ts';
import { changedElsewhere, type ContentBackend } from '../backend/content-backend.ts';
import { parseItemFilter } from '../backend/item-filter.ts';
import { listCollections } from './check-connection.ts';
import { checkKeys } from './check-names.ts';
import { denyRelated } from './deny-related.ts';
import { asRecord, readCollectionFields, toField, type SeenCollection } from './describe-fields.ts';
import type { DirectusClient } from './directus-client.ts';
import { DirectusError, backendFailed, toContentProblem, unknownField } from './directus-error.ts';
import { checkRule, loadRelate, toRuleFields } from './directus-rule.ts';
import { createDirectusFiles, type DirectusFiles } from './directus-files.ts';
import {
  findCollectionAccess,
  listSeenCollections,
  storeSeenCollections,
} from './seen-collections.queries.ts';
import { readPreset } from './read-preset.ts';
import { toCondition, toQuery, toAggregate } from './to-directus-query.ts';

/** Items per page when all items are read. */
const pageSize = 500;

export interface DirectusBackend extends ContentBackend {
  files: DirectusFiles;
  /** Bookmarks shared with all users, by name. */
  listPresets: (collection: string) => Promise<Preset[]>;
  /** Whether the token can create and update items. */
  canWrite: (collection: string) => Promise<boolean>;
  /** The key type of the collection; null for a collection that has not been seen yet. */
  findKeyType: (collection: string) => Promise<SeenCollection['key_type'] | null>;
}

/**
 * An organization's Directus as a content backend. Use it outside transactions: `run` opens short ones to read and store the
 * seen collections and their owners.
 * @param relatedOf  whose access scope the collections must be in that the relations of a rule lead to
 */
export function createDirectusBackend(
  client: DirectusClient,
  organizationId: string,
  run: RunStatements,
  relatedOf: 'caller' | 'organization' = 'caller',
): DirectusBackend {
  const access = accessCollections({ client, organizationId, run, relatedOf });
  return {
    ...describeDirectus({ client, organizationId, run }, access),
    ...readDirectus(client, access),
    ...writeDirectus(client, access),
  };
}

type RunStatements = <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;

interface Connected {
  client: DirectusClient;
  organizationId: string;
  run: RunStatements;
}

type Access = ReturnType<typeof accessCollections>;

/** Wraps requests in the check of their collection, and their errors in problems of content. */
function accessCollections({
  client,
  organizationId,
  run,
  relatedOf,
}: Connected & { relatedOf: 'caller' | 'organization' }) {
  /** @throws 404 for a collection outside the access scope */
  const open = async (collection: string) => {
    const { isFull, isSeen, isCurrent, keyType } = await run((trx) =>
      findCollectionAccess(trx, organizationId, collection),
    );
    if (isSeen ? !isCurrent : !isFull) throw notFound();
    return { keyType };
  };
  /** Directus sends the same error for a missing item as for one that is not allowed. */
  const isThere = (collection: string, key: string) =>
    client.readItem(collection, key, { fields: ['id'] }).then(
      () => true,
      (error: unknown) => {
        if (isNotAllowed(error)) return false;
        throw error;
      },
    );
  const checkRelations = (collection: string, rule: unknown) =>
    run(async (trx) => {
      const { fields, relate } = await loadRelate(trx, organizationId, { collection, rule }, relatedOf);
      parseItemFilter(rule, toRuleFields(fields), { relate });
    });
  const query = async <T>(collection: string, filter: unknown, work: () => Promise<T>): Promise<T> => {
    await open(collection);
    if (Object.keys(filter ?? {}).length > 0 && checkRule(filter)) await checkRelations(collection, filter);
    try {
      return await work();
    } catch (error) {
      if (!isNotAllowed(error)) throw toContentProblem(error);
      // Directus sends the same error for a missing field as for a missing collection.
      await client.listFields(collection).catch(() => {
        throw notFound();
      });
      throw unknownField();
    }
  };
  const change = async <T>(collection: string, key: string, work: () => Promise<T>): Promise<T> => {
    await open(collection);
    try {
      return await work();
    } catch (error) {
      if (isNotAllowed(error) && !(await isThere(collection, key))) throw notFound();
      throw toContentProblem(error);
    }
  };
  const changeAll = async <T>(
    collection: string,
    keys: readonly string[],
    work: () => Promise<T>,
  ): Promise<T> => {
    await open(collection);
    try {
      return await work();
    } catch (error) {
      const isMissing = async () => (await readKeys(client, collection, keys)).length < new Set(keys).size;
      if (isNotAllowed(error) && (await isMissing())) throw notFound();
      throw toContentProblem(error);
    }
  };
  /** Assigns UUID keys here, so that a repeated request does not create a second item. */
  const create = async (
    collection: string,
    items: readonly Item[],
    work: (given: readonly Item[]) => Promise<Item[]>,
  ): Promise<Item[]> => {
    const { keyType } = await open(collection);
    const given = items.map((item) =>
      item['id'] === undefined && keyType === 'uuid' ? { ...item, id: newId() } : item,
    );
    const own = given.flatMap(({ id }, index) => (items[index]!['id'] === undefined ? [id as string] : []));
    try {
      await denyRelated(client, collection, given);
      const created = (await work(given)).map(toItem);
      return keyType === 'uuid' ? inOrder(given.map(keyOf), created) : created;
    } catch (error) {
      // An earlier attempt whose response was lost may have created them.
      const isTaken = error instanceof DirectusError && error.code === 'RECORD_NOT_UNIQUE';
      if (isTaken && own.length === given.length) {
        const there = await readKeys(client, collection, own, ['*']);
        if (there.length === own.length) return inOrder(own, there.map(toItem));
      }
      if (isNotAllowed(error)) {
        await client.listFields(collection).catch(() => {
          throw notFound();
        });
      }
      throw toContentProblem(error);
    }
  };
  return { open, isThere, checkRelations, query, change, changeAll, create };
}

type Reads = 'findItems' | 'readItems' | 'countItems' | 'aggregateItems' | 'getItem';
type Writes = 'createItem' | 'createItems' | 'updateItem' | 'updateItems' | 'deleteItem' | 'deleteItems';

const describeDirectus = (
  { client, organizationId, run }: Connected,
  { open, checkRelations }: Access,
): Omit<DirectusBackend, Reads | Writes> => ({
  files: createDirectusFiles(client),

  async listCollections(usableBy) {
    const live = await listCollections(client).catch(throwProblem);
    const rows = await run(async (trx) => {
      const { isFull } = await findCollectionAccess(trx, organizationId, '');
      if (isFull) await storeSeenCollections(trx, organizationId, live);
      return await listSeenCollections(trx, organizationId, usableBy);
    });
    return rows.flatMap(({ collection, label, client_id, brand_id }) => {
      const seen = live.find((each) => each.collection === collection);
      if (seen === undefined) return [];
      const has_contacts = seen.fields.some(({ field }) => field === 'email');
      const counts = { item_count: seen.items_count ?? 0, has_contacts };
      return [{ collection, label, client_id, brand_id, hidden: false, sort: null, ...counts }];
    });
  },

  async listFields(collection): Promise<Field[]> {
    await open(collection);
    const given = await client.listFields(collection).catch((error: unknown) => {
      throw isNotAllowed(error) ? notFound() : toContentProblem(error);
    });
    return readCollectionFields(given).map((field) => toField(collection, field));
  },

  async listPresets(collection) {
    await open(collection);
    const rows = await client.listPresets(collection).catch((error: unknown) => {
      // A token without permission to read presets gets an empty list.
      if (isNotAllowed(error)) return [];
      throw toContentProblem(error);
    });
    const usable: Preset[] = [];
    for (const preset of rows.flatMap((row) => readPreset(collection, row) ?? [])) {
      const { filter } = preset;
      const isUsable =
        filter === null ||
        !checkRule(filter) ||
        (await checkRelations(collection, filter).then(
          () => true,
          (error: unknown) => {
            if (error instanceof ORPCError && error.code === 'invalid_query') return false;
            throw error;
          },
        ));
      if (isUsable) usable.push(preset);
    }
    return usable;
  },

  async canWrite(collection) {
    const request = client.custom({ path: '/permissions/me', method: 'GET' }, 'object');
    const rights = asRecord((await request.catch(throwProblem))[collection]);
    return ['create', 'update'].every((action) => (asRecord(rights[action])['access'] ?? 'none') !== 'none');
  },

  findKeyType: async (collection) => (await open(collection)).keyType,
});

const readDirectus = (client: DirectusClient, { query, change }: Access): Pick<DirectusBackend, Reads> => ({
  findItems: (collection, itemsQuery) =>
    query(collection, itemsQuery.filter, async () =>
      (await client.readItems(collection, toQuery(itemsQuery))).map(toItem),
    ),

  async *readItems(collection, itemsQuery) {
    const end = itemsQuery.offset + itemsQuery.limit;
    for (let offset = itemsQuery.offset; offset < end; offset += pageSize) {
      const limit = Math.min(pageSize, end - offset);
      const page = { ...toQuery(itemsQuery), limit, offset };
      const items = await query(collection, itemsQuery.filter, () => client.readItems(collection, page));
      if (items.length > 0) yield items.map(toItem);
      if (items.length < limit) return;
    }
  },

  countItems: (collection, itemsQuery) =>
    query(collection, itemsQuery.filter, () => client.countItems(collection, toCondition(itemsQuery))),

  aggregateItems: (collection, aggregateQuery) =>
    query(collection, aggregateQuery.filter, () =>
      client.aggregateItems(collection, toAggregate(aggregateQuery)),
    ),

  getItem: (collection, key) =>
    change(collection, key, async () => toItem(await client.readItem(collection, key))),
});

const writeDirectus = (
  client: DirectusClient,
  { isThere, change, changeAll, create }: Access,
): Pick<DirectusBackend, Writes> => ({
  createItem: async (collection, data) =>
    (await create(collection, [data], async ([item]) => [await client.createItem(collection, item!)]))[0]!,

  createItems: async (collection, items) =>
    items.length === 0
      ? []
      : await create(collection, items, (given) => client.createItems(collection, given)),

  async updateItems(collection, changes) {
    const keys = changes.map(({ key }) => key);
    if (keys.length === 0) return [];
    const items = await changeAll(collection, keys, async () => {
      await denyRelated(
        client,
        collection,
        changes.map(({ data }) => data),
      );
      return await client.updateItems(collection, changes);
    });
    return inOrder(keys, items.map(toItem));
  },

  async deleteItems(collection, keys) {
    if (keys.length === 0) return;
    await changeAll(collection, keys, async () => {
      // With an admin token, deleting missing items succeeds.
      if ((await readKeys(client, collection, checkKeys(keys))).length < new Set(keys).size) throw notFound();
      await client.deleteItems(collection, keys);
    });
  },

  updateItem: (collection, key, data, { ifDateUpdated } = {}) =>
    change(collection, key, async () => {
      await denyRelated(client, collection, [data]);
      if (ifDateUpdated !== undefined) {
        const { date_updated } = await client.readItem(collection, key);
        if (typeof date_updated !== 'string' || Date.parse(date_updated) !== Date.parse(ifDateUpdated)) {
          throw changedElsewhere();
        }
      }
      return toItem(await client.updateItem(collection, key, data));
    }),

  deleteItem: (collection, key) =>
    change(collection, key, async () => {
      // With an admin token, deleting a missing item succeeds.
      if (!(await isThere(collection, key))) throw notFound();
      await client.deleteItem(collection, key);
    }),
});

const readKeys = (
  client: DirectusClient,
  collection: string,
  keys: readonly string[],
  fields: readonly string[] = ['id'],
): Promise<Item[]> =>
  client.readItems(collection, { filter: { id: { _in: [...new Set(keys)] } }, limit: keys.length, fields });

/** Restores the order of the request: Directus returns written items in key order. */
const inOrder = (keys: readonly string[], items: readonly Item[]): Item[] => {
  const byKey = new Map(items.map((item) => [item['id'], item]));
  return keys.flatMap((key) => {
    const item = byKey.get(key.toLowerCase()) ?? byKey.get(key);
    return item === undefined ? [] : [item];
  });
};

const isNotAllowed = (error: unknown): boolean =>
  error instanceof DirectusError && error.failure === 'not_allowed';

const throwProblem = (error: unknown): never => {
  throw toContentProblem(error);
};

/** Sets `id` to the key as text, and leaves out properties that are not valid field names here. */
const toItem = (item: Item): Item => ({
  ...Object.fromEntries(Object.entries(item).filter(([name]) => fieldName.safeParse(name).success)),
  id: keyOf(item),
});

function keyOf({ id }: Item): string {
  if (typeof id === 'string' || typeof id === 'number') return String(id);
  throw backendFailed(new DirectusError('malformed', 'An item has no key.'));
}
