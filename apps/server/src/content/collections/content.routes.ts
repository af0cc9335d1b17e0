import { inTransaction, operations } from '../../identity/access/operations.ts';
import { eraseContact } from '../contacts/erase-notes.ts';
import { getImport, listImports } from '../imports/imports.ts';
import { dropImport, startCheckedImport } from '../imports/start-import.ts';
import { withBackend } from '../built-in/with-backend.ts';
import { createField } from '../built-in/change-field.ts';
import { changeCollection, createCollection, describeCollections } from './collections.ts';
import { parseFilter, rejectPlatformCollections } from './item-input.ts';
import { deleteField, updateField } from './fields.ts';
import { presetRoutes } from './preset.routes.ts';

const noteOf = (collection: string, field: string) => ({ record_name: field, details: { collection } });

const splitSort = (sort: string | undefined): string[] =>
  (sort ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');

export const contentRoutes = {
  collections: withBackend(
    operations.content.collections,
    async (backend, { client_id, brand_id, hidden }, _context, trx) => {
      const query = { client_id, brand_id, with_hidden: hidden === 'true' };
      return { data: await describeCollections(trx, await backend.listCollections(query)) };
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
  fields: withBackend(operations.content.fields, async (backend, input) => {
    const fields = await backend.listFields(rejectPlatformCollections(input.collection));
    return { data: fields.filter(({ hidden }) => !hidden || input.hidden === 'true') };
  }),
  createField: inTransaction(
    operations.content.createField,
    async (trx, { organization_id: organizationId, collection, ...input }, { note }) => {
      rejectPlatformCollections(collection);
      note(noteOf(collection, input.field));
      return await createField(trx, { organizationId, collection }, input);
    },
  ),
  updateField: inTransaction(
    operations.content.updateField,
    async (trx, { organization_id: organizationId, collection, field, ...changes }, { note }) => {
      rejectPlatformCollections(collection);
      note(noteOf(collection, field));
      return await updateField(trx, { organizationId, collection, field }, changes);
    },
  ),
  deleteField: inTransaction(
    operations.content.deleteField,
    async (trx, { organization_id: organizationId, collection, field }, { note }) => {
      rejectPlatformCollections(collection);
      note(noteOf(collection, field));
      await deleteField(trx, { organizationId, collection, field });
      return { field };
    },
  ),
  ...presetRoutes,
  items: withBackend(operations.content.items, async (backend, input) => {
    const collection = rejectPlatformCollections(input.collection);
    const query = { filter: parseFilter(input.filter), search: input.search };
    const { limit, page } = input;
    const sort = splitSort(input.sort);
    const data = await backend.findItems(collection, { ...query, sort, limit, offset: (page - 1) * limit });
    const total_count = await backend.countItems(collection, {});
    const isAll = JSON.stringify(query.filter) === '{}' && (query.search ?? '') === '';
    const filter_count = isAll ? total_count : await backend.countItems(collection, query);
    return { data, meta: { total_count, filter_count } };
  }),
  createItem: withBackend(operations.content.createItem, async (backend, input) => ({
    data: await backend.createItem(rejectPlatformCollections(input.collection), input.data),
  })),
  item: withBackend(operations.content.item, async (backend, input) => ({
    data: await backend.getItem(rejectPlatformCollections(input.collection), input.key),
  })),
  updateItem: withBackend(operations.content.updateItem, async (backend, input) => {
    const { key, data, if_date_updated: ifDateUpdated } = input;
    const collection = rejectPlatformCollections(input.collection);
    return { data: await backend.updateItem(collection, key, data, { ifDateUpdated }) };
  }),
  deleteItem: withBackend(operations.content.deleteItem, async (backend, input, { organizationId }, trx) => {
    const { collection, key } = input;
    await backend.deleteItem(rejectPlatformCollections(collection), key);
    await eraseContact(trx, { organizationId, collection, key });
    return { key: input.key };
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
};
