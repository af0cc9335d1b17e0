import { figureOrderScope, withFigures } from '../../clients/figures/figures.ts';
import { inTransaction, operations } from '../../identity/access/operations.ts';
import {
  changeTouchpoint,
  removeTouchpoint,
  restoreTouchpoint,
  unarchiveTouchpoint,
} from './change-touchpoint.ts';
import { toCampaign } from '../campaigns/campaign.ts';
import { duplicateCampaign } from './duplicate-campaign.ts';
import { duplicateTouchpoint } from './duplicate-touchpoint.ts';
import { getTouchpoint, getTouchpointDetails, listTouchpoints } from './touchpoint.queries.ts';
import { requireShown } from './require-shown.ts';
import { recentTouchpoints } from './recent-touchpoints.ts';
import { toTouchpoint } from './touchpoint.ts';

/** The operations on touchpoints of all channels. */
export const touchpointRoutes = {
  list: inTransaction(operations.touchpoints.list, async (trx, input, context) => {
    const { rows, count } = await listTouchpoints(trx, input, figureOrderScope(context, input.order));
    return { items: await withFigures(trx, context, 'touchpoint', rows.map(toTouchpoint)), count };
  }),
  recent: inTransaction(operations.touchpoints.recent, (trx, input, context) =>
    recentTouchpoints(trx, context, input.client_id),
  ),
  duplicate: inTransaction(operations.touchpoints.duplicate, async (trx, { id, ...input }) =>
    toTouchpoint(await duplicateTouchpoint(trx, id, input)),
  ),
  get: inTransaction(operations.touchpoints.get, async (trx, input) => {
    const { open_send_id, is_planned, is_changed, ...row } = await getTouchpointDetails(trx, input.id);
    return { ...toTouchpoint(row), open_send_id, is_planned, is_changed };
  }),
  update: inTransaction(operations.touchpoints.update, async (trx, { id, ...changes }, context) => {
    requireShown(context, changes);
    await changeTouchpoint(trx, id, changes);
    return toTouchpoint(await getTouchpoint(trx, id));
  }),
  unarchive: inTransaction(operations.touchpoints.unarchive, async (trx, input) => {
    await unarchiveTouchpoint(trx, input.id);
    return toTouchpoint(await getTouchpoint(trx, input.id));
  }),
  delete: inTransaction(operations.touchpoints.delete, async (trx, input, context) => {
    context.note({ record_name: await removeTouchpoint(trx, input.id) });
    return { id: input.id };
  }),
  restore: inTransaction(operations.touchpoints.restore, async (trx, input) => {
    await restoreTouchpoint(trx, input.id);
    return toTouchpoint(await getTouchpoint(trx, input.id));
  }),
};

export const duplicateCampaignRoute = inTransaction(
  operations.campaigns.duplicate,
  async (trx, { id, ...input }) => toCampaign(await duplicateCampaign(trx, id, input)),
);
