import { z } from 'zod';
import { maxCountedItems, maxFilterCount, maxItems, type Item } from '@reachout/contract/content.ts';
import { operations, type OperationContext } from '../../identity/access/operations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import {
  aggregateFunctions,
  type AggregateFunction,
  type AggregateQuery,
  type ContentBackend,
  type ItemsQuery,
} from '../backend/content-backend.ts';
import { invalidQuery, UnknownField } from '../backend/content-errors.ts';
import { eraseContact } from '../contacts/erase-notes.ts';
import type { DirectusDeps } from '../directus/connection.ts';
import { changeContent, readContent } from '../gateway/with-content.ts';
import { keyOf } from '../rest-api/read-items.ts';
import { createItems, deleteItems, noteOfItems, updateItems } from '../rest-api/write-items.ts';
import { parseFilter, parseJson, rejectPlatformCollections } from './item-input.ts';

const splitNames = (names: string | undefined): string[] =>
  (names ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');

/** As JSON text, such as `{"count":"*"}`; each function with one field or several. */
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

/** Items, one or several at once. */
export const createItemRoutes = (deps: DirectusDeps) => ({
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
    const fields = splitNames(input.fields).filter((name) => name !== '*');
    const data =
      input.aggregate === undefined
        ? await findItems(backend, collection, { ...page, ...(fields.length === 0 ? {} : { fields }) })
        : await backend.aggregateItems(collection, {
            ...page,
            aggregate: parseAggregate(input.aggregate),
            groupBy: splitNames(input.groupBy),
          });
    const total_count = await backend.countItems(collection, {});
    const isAll = JSON.stringify(query.filter) === '{}' && (query.search ?? '') === '';
    if (isAll) return { data, meta: { total_count, filter_count: total_count, has_more: false } };
    if (total_count <= maxCountedItems) {
      const filter_count = await backend.countItems(collection, query);
      return { data, meta: { total_count, filter_count, has_more: false } };
    }
    const counted = await backend.countItems(collection, query, { atMost: maxFilterCount + 1 });
    // A backend may have counted all of them for nothing more.
    const has_more = counted === maxFilterCount + 1;
    return { data, meta: { total_count, filter_count: has_more ? maxFilterCount : counted, has_more } };
  }),
  createItem: changeContent(deps, operations.content.createItem, {
    work: async (backend, { collection, data: given }, { note }) => {
      const data = await createItems(backend, rejectPlatformCollections(collection), given);
      note(noteOfItems(collection, [data].flat().map(keyOf)));
      return { data };
    },
  }),
  updateItems: changeContent(deps, operations.content.updateItems, {
    work: async (backend, { collection, changes }, { note }) => {
      const data = await updateItems(backend, rejectPlatformCollections(collection), changes);
      note(noteOfItems(collection, data.map(keyOf)));
      return { data };
    },
  }),
  deleteItems: changeContent(deps, operations.content.deleteItems, {
    work: async (backend, { collection, items }, { note }) => {
      const keys = await deleteItems(backend, rejectPlatformCollections(collection), items);
      note(noteOfItems(collection, keys));
      return { keys };
    },
    after: forget,
  }),
  item: readContent(deps, operations.content.item, async (backend, { collection, key }) => ({
    data: await backend.getItem(rejectPlatformCollections(collection), key),
  })),
  updateItem: changeContent(deps, operations.content.updateItem, {
    work: async (backend, { collection, key, data, if_date_updated: ifDateUpdated }, { note }) => {
      note(noteOfItems(collection, [key]));
      return {
        data: await backend.updateItem(rejectPlatformCollections(collection), key, data, { ifDateUpdated }),
      };
    },
  }),
  deleteItem: changeContent(deps, operations.content.deleteItem, {
    work: async (backend, { collection, key }, { note }) => {
      await backend.deleteItem(rejectPlatformCollections(collection), key);
      note(noteOfItems(collection, [key]));
      return { key };
    },
    after: (trx, input, output, context) => forget(trx, input, { keys: [output.key] }, context),
  }),
});

/** What the platform knows of items, and a Directus does not: notes on contacts. */
async function forget(
  trx: Transaction,
  { collection }: { collection: string },
  { keys }: { keys: readonly string[] },
  { organizationId }: OperationContext,
): Promise<void> {
  for (const key of keys) await eraseContact(trx, { organizationId, collection, key });
}

/** With their keys always: screens and clients look for items by them. */
async function findItems(backend: ContentBackend, collection: string, query: ItemsQuery): Promise<Item[]> {
  const { fields } = query;
  if (fields === undefined) return await backend.findItems(collection, query);
  const known = (await backend.listFields(collection)).map(({ field }) => field);
  const unknown = fields.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UnknownField(`fields: There is no field “${unknown}” in this collection.`);
  const items = await backend.findItems(collection, query);
  return items.map((item) => Object.fromEntries(['id', ...fields].map((name) => [name, item[name] ?? null])));
}
