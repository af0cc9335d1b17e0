import { z } from 'zod';
import { maxCountedItems, maxFilterCount, maxItems, type Item } from '@reachout/contract/content.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import {
  aggregateFunctions,
  type AggregateFunction,
  type AggregateQuery,
  type ContentBackend,
  type ItemsQuery,
} from '../backend/content-backend.ts';
import { invalidQuery, UnknownField } from '../backend/content-errors.ts';
import { eraseContact } from '../contacts/erase-notes.ts';
import { getImport, listImports } from '../imports/imports.ts';
import { dropImport, startCheckedImport } from '../imports/start-import.ts';
import type { DirectusDeps } from '../directus/connection.ts';
import { changeContent, readContent } from '../gateway/with-content.ts';
import { createField } from '../built-in/change-field.ts';
import { isDirectusConnected } from '../directus/connection.queries.ts';
import { denyWithDirectus } from '../directus/deny-with-directus.ts';
import { changeCollection, createCollection, deleteCollection, describeCollections } from './collections.ts';
import { parseFilter, parseJson, rejectPlatformCollections } from './item-input.ts';
import { deleteField, updateField } from './fields.ts';
import { createPresetRoutes } from './preset.routes.ts';

const noteOf = (collection: string, field: string) => ({ record_name: field, details: { collection } });

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

/** What the platform knows of items, and a Directus does not: notes on contacts. */
const forget = (
  trx: Transaction,
  { collection, key }: { collection: string; key: string },
  { organizationId }: OperationContext,
) => eraseContact(trx, { organizationId, collection, key });

/** The gateway to the content of an organization, wherever it is kept. */
export const createContentRoutes = (deps: DirectusDeps) => ({
  collections: readContent(
    deps,
    operations.content.collections,
    async (backend, input, { organizationId }, run) => {
      const { client_id, brand_id, hidden } = input;
      const rows = await backend.listCollections({ client_id, brand_id, with_hidden: hidden === 'true' });
      return await run(async (trx) => ({
        data: await describeCollections(trx, rows),
        meta: {
          backend: (await isDirectusConnected(trx, organizationId))
            ? ('directus' as const)
            : ('built_in' as const),
        },
      }));
    },
  ),
  createCollection: inTransaction(
    operations.content.createCollection,
    async (trx, { organization_id, ...input }, { note }) => {
      note({ record_name: input.name });
      return await createCollection(trx, organization_id, input);
    },
  ),
  updateCollection: inTransaction(
    operations.content.updateCollection,
    async (trx, { organization_id, ...input }, { note }) => {
      rejectPlatformCollections(input.collection);
      const changed = await changeCollection(trx, organization_id, input);
      note({ record_name: changed.label ?? changed.collection });
      return changed;
    },
  ),
  deleteCollection: inTransaction(
    operations.content.deleteCollection,
    async (trx, { organization_id, collection }, { note }) => {
      const { name } = await deleteCollection(trx, organization_id, rejectPlatformCollections(collection));
      note({ record_name: name });
      return { collection };
    },
  ),
  fields: readContent(deps, operations.content.fields, async (backend, input) => {
    const fields = await backend.listFields(rejectPlatformCollections(input.collection));
    return { data: fields.filter(({ hidden }) => !hidden || input.hidden === 'true') };
  }),
  createField: inTransaction(
    operations.content.createField,
    async (trx, { organization_id: organizationId, collection, ...input }, { note }) => {
      rejectPlatformCollections(collection);
      await denyWithDirectus(trx, organizationId);
      note(noteOf(collection, input.field));
      return await createField(trx, { organizationId, collection }, input);
    },
  ),
  updateField: inTransaction(
    operations.content.updateField,
    async (trx, { organization_id: organizationId, collection, field, ...changes }, { note }) => {
      rejectPlatformCollections(collection);
      await denyWithDirectus(trx, organizationId);
      note(noteOf(collection, field));
      return await updateField(trx, { organizationId, collection, field }, changes);
    },
  ),
  deleteField: inTransaction(
    operations.content.deleteField,
    async (trx, { organization_id: organizationId, collection, field }, { note }) => {
      rejectPlatformCollections(collection);
      await denyWithDirectus(trx, organizationId);
      note(noteOf(collection, field));
      await deleteField(trx, { organizationId, collection, field });
      return { field };
    },
  ),
  ...createPresetRoutes(deps),
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
    work: async (backend, { collection, data }) => ({
      data: await backend.createItem(rejectPlatformCollections(collection), data),
    }),
  }),
  item: readContent(deps, operations.content.item, async (backend, { collection, key }) => ({
    data: await backend.getItem(rejectPlatformCollections(collection), key),
  })),
  updateItem: changeContent(deps, operations.content.updateItem, {
    work: async (backend, { collection, key, data, if_date_updated: ifDateUpdated }) => ({
      data: await backend.updateItem(rejectPlatformCollections(collection), key, data, { ifDateUpdated }),
    }),
  }),
  deleteItem: changeContent(deps, operations.content.deleteItem, {
    work: async (backend, { collection, key }) => {
      await backend.deleteItem(rejectPlatformCollections(collection), key);
      return { key };
    },
    after: forget,
  }),
  imports: inTransaction(operations.content.imports, async (trx, { client_id }, context) => ({
    data: await listImports(trx, context.organizationId, client_id),
  })),
  startImport: inTransaction(operations.content.startImport, async (trx, input, { organizationId, note }) => {
    const started = await startCheckedImport(trx, { organizationId, importId: input.id });
    note({ record_name: started.file_name });
    return started;
  }),
  cancelImport: inTransaction(
    operations.content.cancelImport,
    async (trx, input, { organizationId, note }) => {
      const { fileName } = await dropImport(trx, { organizationId, importId: input.id });
      note({ record_name: fileName });
      return { id: input.id };
    },
  ),
  getImport: inTransaction(operations.content.getImport, (trx, input, context) =>
    getImport(trx, context.organizationId, input.id),
  ),
});

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
