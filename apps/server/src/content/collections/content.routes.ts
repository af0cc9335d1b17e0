import { inTransactions, operations, type OperationContext } from '../../identity/access/operations.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { findFields } from '../built-in/collections.queries.ts';
import { listPresets } from '../built-in/presets.queries.ts';
import type { DirectusDeps } from '../directus/connection.ts';
import { openBackend, readContent, type ContentDeps } from '../gateway/with-content.ts';
import { createField } from '../built-in/change-field.ts';
import { isDirectusConnected } from '../directus/connection.queries.ts';
import { denyWithDirectus } from '../directus/deny-with-directus.ts';
import { changeCollection, createCollection, deleteCollection, describeCollections } from './collections.ts';
import { rejectPlatformCollections } from './item-input.ts';
import { createItemRoutes } from './item.routes.ts';
import { changePreset, removePreset, savePreset, toPreset, type PresetCaller } from './presets.ts';

const noteOf = (collection: string, field: string) => ({ record_name: field, details: { collection } });

/** Routes to the content of an organization, in either backend. */
export const createContentRoutes = (deps: ContentDeps) => ({
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
  ...inTransactions(operations.content, {
    createCollection: async (trx, { organization_id, ...input }, { note }) => {
      note({ record_name: input.name });
      return await createCollection(trx, organization_id, input);
    },
    updateCollection: async (trx, { organization_id, ...input }, { note }) => {
      rejectPlatformCollections(input.collection);
      const changed = await changeCollection(trx, organization_id, input);
      note({ record_name: changed.label ?? changed.collection });
      return changed;
    },
    deleteCollection: async (trx, { organization_id, collection }, { note }) => {
      const { name } = await deleteCollection(trx, organization_id, rejectPlatformCollections(collection));
      note({ record_name: name });
      return { collection };
    },
    createField: async (trx, { organization_id: organizationId, collection, ...input }, { note }) => {
      rejectPlatformCollections(collection);
      await denyWithDirectus(trx, organizationId);
      note(noteOf(collection, input.field));
      return await createField(trx, { organizationId, collection }, input);
    },
    updateField: async (
      trx,
      { organization_id: organizationId, collection, field, ...changes },
      { note },
    ) => {
      rejectPlatformCollections(collection);
      await denyWithDirectus(trx, organizationId);
      note(noteOf(collection, field));
      return await deps.contacts.updateField(trx, { organizationId, collection, field }, changes);
    },
    deleteField: async (trx, { organization_id: organizationId, collection, field }, { note }) => {
      rejectPlatformCollections(collection);
      await denyWithDirectus(trx, organizationId);
      note(noteOf(collection, field));
      await deps.contacts.deleteField(trx, { organizationId, collection, field });
      return { field };
    },
  }),
  fields: readContent(deps, operations.content.fields, async (backend, input) => {
    const fields = await backend.listFields(rejectPlatformCollections(input.collection));
    return { data: fields.filter(({ hidden }) => !hidden || input.hidden === 'true') };
  }),
  ...createPresetRoutes(deps),
  ...createItemRoutes(deps),
});

const callerOf = ({ organizationId, userId, can }: OperationContext): PresetCaller => ({
  organizationId,
  userId,
  canShare: can('update', 'Content'),
});

const createPresetRoutes = (deps: DirectusDeps) => ({
  presets: operations.content.presets.handler(async ({ input: { collection }, context }) => {
    rejectPlatformCollections(collection);
    const open = await openBackend(deps, context, context.transaction, { isAwaited: true });
    // Views saved here belong to built-in collections, which are not in use while a Directus is connected.
    if (open.kind === 'directus') return { data: await open.backend.listPresets(collection) };
    const { organizationId, userId } = context;
    return await context.transaction(async (trx) => {
      if ((await findFields(trx, organizationId, collection)) === undefined) throw notFound();
      return { data: (await listPresets(trx, { organizationId, userId, collection })).map(toPreset) };
    });
  }),
  ...inTransactions(operations.content, {
    createPreset: async (trx, { organization_id: _organization, ...input }, context) => {
      rejectPlatformCollections(input.collection);
      await denyWithDirectus(trx, context.organizationId);
      const saved = await savePreset(trx, callerOf(context), input);
      context.note({ record_id: saved.id, record_name: saved.bookmark });
      return saved;
    },
    updatePreset: async (trx, { organization_id: _organization, id, ...changes }, context) => {
      const changed = await changePreset(trx, callerOf(context), id, changes);
      context.note({ record_name: changed.bookmark });
      return changed;
    },
    deletePreset: async (trx, { id }, context) => {
      const removed = await removePreset(trx, callerOf(context), id);
      context.note({ record_name: removed.bookmark });
      return { id };
    },
  }),
});
