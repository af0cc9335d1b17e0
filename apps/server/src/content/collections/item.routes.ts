import { z } from 'zod';
import { maxCountedItems, maxFilterCount, maxItems, type Item } from '@reachout/contract/content.ts';
import { operations, type OperationContext } from '../../identity/access/operations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import {
  aggregateFunctions,
  invalidQuery,
  UnknownField,
  type AggregateFunction,
  type AggregateQuery,
  type ContentBackend,
} from '../backend/content-backend.ts';
import { requirePageLength } from '../backend/page-length.ts';
import { changeContent, readContent, type ContentDeps } from '../gateway/with-content.ts';
import { keyOf } from '../rest-api/read-items.ts';
import {
  createItems,
  deleteItems,
  noteOfItems,
  requireConsentFields,
  updateItems,
} from '../rest-api/write-items.ts';
import { parseFilter, parseJson, rejectPlatformCollections } from './item-input.ts';

/** Parses JSON text such as `{"count":"*"}`; each function has one field or several. */
function parseAggregate(text: string): AggregateQuery['aggregate'] {
  const parsed = Aggregate.safeParse(parseJson('aggregate', text));
  if (!parsed.success) throw invalidQuery('aggregate: Use an object such as {"count":"*"}.');
  return Object.entries(parsed.data).flatMap(([name, fields]) =>
    [fields].flat().map((field) => ({ function: name as AggregateFunction, field })),
  );
}

const Aggregate = z.partialRecord(
  z.enum(aggregateFunctions),
  z.union([z.string(), z.array(z.string()).max(100)]),
);

/** Routes for items, one or several at once. */
export const createItemRoutes = (deps: ContentDeps) => ({
  items: readContent(deps, operations.content.items, async (backend, input) => {
    const collection = rejectPlatformCollections(input.collection);
    const query = { filter: parseFilter(input.filter), search: input.search };
    const limit = input.limit === -1 ? maxItems : input.limit;
    const page = {
      ...query,
      sort: splitNames(input.sort),
      limit,
      offset: input.offset ?? (input.page - 1) * limit,
    };
    const fields = await readFields(backend, collection, input.fields);
    const data =
      input.aggregate === undefined
        ? showAll(await backend.findItems(collection, { ...page, fields }), fields)
        : requirePageLength(
            await backend.aggregateItems(collection, {
              ...page,
              aggregate: parseAggregate(input.aggregate),
              groupBy: splitNames(input.groupBy),
            }),
          );
    const total_count = await backend.countItems(collection, {});
    const isAll = JSON.stringify(query.filter) === '{}' && (query.search ?? '') === '';
    if (isAll) return { data, meta: { total_count, filter_count: total_count, has_more: false } };
    const { max_count } = input;
    // At least this many match. If no more are to be counted, that is the answer.
    const reached = input.aggregate === undefined && data.length > 0 ? page.offset + data.length : 0;
    if (max_count !== undefined && reached > 0 && reached >= max_count)
      return { data, meta: { total_count, filter_count: max_count, has_more: true } };
    if (max_count === undefined && total_count <= maxCountedItems) {
      const filter_count = await backend.countItems(collection, query);
      return { data, meta: { total_count, filter_count, has_more: false } };
    }
    const max = max_count ?? maxFilterCount;
    const counted = await backend.countItems(collection, query, { atMost: max + 1 });
    // A backend may count all matches despite `atMost`; that exact count is then returned.
    const has_more = counted === max + 1;
    return { data, meta: { total_count, filter_count: has_more ? max : counted, has_more } };
  }),
  createItem: changeContent(deps, operations.content.createItem, {
    work: async (backend, { collection, data: given, fields: names }, { note, can }) => {
      rejectPlatformCollections(collection);
      // Callers without permission to read get only the keys: an item has more values than its input.
      const fields = can('read', 'Content') ? await readFields(backend, collection, names) : [];
      const data = await createItems(backend, collection, given);
      note(noteOfItems(collection, [data].flat().map(keyOf)));
      return { data: Array.isArray(data) ? showAll(data, fields) : showFields(data, fields) };
    },
  }),
  updateItems: changeContent(deps, operations.content.updateItems, {
    work: async (backend, { collection, changes, fields: names }, { note }) => {
      const fields = await readFields(backend, rejectPlatformCollections(collection), names);
      const data = await updateItems(backend, collection, changes);
      note(noteOfItems(collection, data.map(keyOf)));
      return { data: showAll(data, fields) };
    },
  }),
  deleteItems: changeContent(deps, operations.content.deleteItems, {
    work: async (backend, { collection, items }, { note }) => {
      const keys = await deleteItems(backend, rejectPlatformCollections(collection), items);
      note(noteOfItems(collection, keys));
      return { keys };
    },
    after: (trx, input, { keys }, context) => forget(deps, trx, context, input.collection, keys),
  }),
  item: readContent(deps, operations.content.item, async (backend, { collection, key, fields: names }) => {
    const fields = await readFields(backend, rejectPlatformCollections(collection), names);
    return { data: showFields(await backend.getItem(collection, key), fields) };
  }),
  updateItem: changeContent(deps, operations.content.updateItem, {
    work: async (
      backend,
      { collection, key, data, if_date_updated: ifDateUpdated, fields: names },
      { note },
    ) => {
      const fields = await readFields(backend, rejectPlatformCollections(collection), names);
      await requireConsentFields(backend, collection, [data]);
      note(noteOfItems(collection, [key]));
      return { data: showFields(await backend.updateItem(collection, key, data, { ifDateUpdated }), fields) };
    },
  }),
  deleteItem: changeContent(deps, operations.content.deleteItem, {
    work: async (backend, { collection, key }, { note }) => {
      await backend.deleteItem(rejectPlatformCollections(collection), key);
      note(noteOfItems(collection, [key]));
      return { key };
    },
    after: (trx, input, { key }, context) => forget(deps, trx, context, input.collection, [key]),
  }),
});

/** Erases what the platform stores about items, and a Directus does not: notes on contacts. */
async function forget(
  { contacts }: ContentDeps,
  trx: Transaction,
  { organizationId }: OperationContext,
  collection: string,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) await contacts.erase(trx, { organizationId, collection, key });
}

const showAll = (items: readonly Item[], fields: readonly string[] | undefined): Item[] =>
  requirePageLength(items.map((item) => showFields(item, fields)));

/** Splits a comma-separated list of names. */
const splitNames = (names: string | undefined): string[] =>
  (names ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');

/**
 * Determines the fields of the items in a response. Call it before anything is written, so that a change that was made
 * never results in an error.
 * @param text  the parameter `fields`
 * @returns undefined for all
 * @throws UnknownField
 */
async function readFields(
  backend: ContentBackend,
  collection: string,
  text: string | undefined,
): Promise<string[] | undefined> {
  const names = splitNames(text);
  if (names.length === 0 || names.includes('*')) return undefined;
  const known = (await backend.listFields(collection)).map(({ field }) => field);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UnknownField(`fields: There is no field “${unknown}” in this collection.`);
  return names;
}

/** Always includes the key, by which screens and clients identify items. */
const showFields = (item: Item, fields: readonly string[] | undefined): Item =>
  fields === undefined
    ? item
    : Object.fromEntries(['id', ...fields].map((name) => [name, item[name] ?? null]));
