import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { findFields } from '../built-in/collections.queries.ts';
import { listPresets } from '../built-in/presets.queries.ts';
import type { DirectusDeps } from '../directus/connection.ts';
import { denyWithDirectus } from '../directus/deny-with-directus.ts';
import { openBackend } from '../gateway/with-content.ts';
import { rejectPlatformCollections } from './item-input.ts';
import { changePreset, removePreset, savePreset, toPreset, type PresetCaller } from './presets.ts';

const callerOf = ({ organizationId, userId, can }: OperationContext): PresetCaller => ({
  organizationId,
  userId,
  canShare: can('update', 'Content'),
});

export const createPresetRoutes = (deps: DirectusDeps) => ({
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
  createPreset: inTransaction(
    operations.content.createPreset,
    async (trx, { organization_id: _organization, ...input }, context) => {
      rejectPlatformCollections(input.collection);
      await denyWithDirectus(trx, context.organizationId);
      const saved = await savePreset(trx, callerOf(context), input);
      context.note({ record_id: saved.id, record_name: saved.bookmark });
      return saved;
    },
  ),
  updatePreset: inTransaction(
    operations.content.updatePreset,
    async (trx, { organization_id: _organization, id, ...changes }, context) => {
      const changed = await changePreset(trx, callerOf(context), id, changes);
      context.note({ record_name: changed.bookmark });
      return changed;
    },
  ),
  deletePreset: inTransaction(operations.content.deletePreset, async (trx, { id }, context) => {
    const removed = await removePreset(trx, callerOf(context), id);
    context.note({ record_name: removed.bookmark });
    return { id };
  }),
});
