import { inTransaction, operations } from '../../identity/access/operations.ts';
import { getImport, listImports } from '../imports/imports.ts';
import { dropImport, startCheckedImport } from '../imports/start-import.ts';
import type { DirectusDeps } from '../directus/connection.ts';
import { readContent } from '../gateway/with-content.ts';
import { createField } from '../built-in/change-field.ts';
import { isDirectusConnected } from '../directus/connection.queries.ts';
import { denyWithDirectus } from '../directus/deny-with-directus.ts';
import { changeCollection, createCollection, deleteCollection, describeCollections } from './collections.ts';
import { deleteField, updateField } from './fields.ts';
import { rejectPlatformCollections } from './item-input.ts';
import { createItemRoutes } from './item.routes.ts';
import { createPresetRoutes } from './preset.routes.ts';

const noteOf = (collection: string, field: string) => ({ record_name: field, details: { collection } });

/** Routes to the content of an organization, in either backend. */
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
  ...createItemRoutes(deps),
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
