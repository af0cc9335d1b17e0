import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { isPlatformCollection } from '../backend/content-backend.ts';
import { findFields } from '../built-in/collections.queries.ts';
import { listPresets } from '../built-in/presets.queries.ts';
import { isDirectusConnected } from '../directus/connection.queries.ts';
import { denyWithDirectus } from '../directus/deny-with-directus.ts';
import { changePreset, removePreset, savePreset, toPreset, type PresetCaller } from './presets.ts';

const callerOf = ({ organizationId, userId, can }: OperationContext): PresetCaller => ({
  organizationId,
  userId,
  canShare: can('update', 'Content'),
});

export const presetRoutes = {
  presets: inTransaction(
    operations.content.presets,
    async (trx, { collection }, { organizationId, userId }) => {
      // What was saved is of the collections that rest.
      if (await isDirectusConnected(trx, organizationId)) return { data: [] };
      const isThere =
        !isPlatformCollection(collection) &&
        (await findFields(trx, organizationId, collection)) !== undefined;
      if (!isThere) throw notFound();
      return { data: (await listPresets(trx, { organizationId, userId, collection })).map(toPreset) };
    },
  ),
  createPreset: inTransaction(
    operations.content.createPreset,
    async (trx, { organization_id: _organization, ...input }, context) => {
      if (isPlatformCollection(input.collection)) throw notFound();
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
};
