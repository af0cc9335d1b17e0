import { maxRecords } from '@reachout/contract/operation.ts';
import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import { figureOrderScope, withFigures } from '../../clients/figures/figures.ts';
import { requireUsable } from '../../content/collections/content-collection.ts';
import { inTransaction, inTransactions, operations } from '../../identity/access/operations.ts';
import { denyWhileSending } from '../../identity/organizations/deny-while-sending.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { apiError, invalidTransition, tooManyRecords } from '../../platform/http/api-error.ts';
import { followRemoval, followReturn, touchCampaign } from '../campaigns/campaign-status.ts';
import { getCampaign } from '../campaigns/campaign.queries.ts';
import { toCampaign, type CampaignRow } from '../campaigns/campaign.ts';
import { createCampaign } from '../campaigns/campaigns.ts';
import { channels } from '../channels/channels.ts';
import { duplicateTouchpoint } from './create-touchpoint.ts';
import { recentTouchpoints } from './recent-touchpoints.ts';
import { requireShown } from './require-shown.ts';
import {
  deleteTouchpoint,
  getTouchpoint,
  getTouchpointDetails,
  hasBeenSent,
  listTouchpoints,
  lockCurrentTouchpoint,
  undeleteTouchpoint,
  updateTouchpoint,
} from './touchpoint.queries.ts';
import { toTouchpoint } from './touchpoint.ts';

/** The operations on touchpoints of all channels. */
export const touchpointRoutes = inTransactions(operations.touchpoints, {
  list: async (trx, input, context) => {
    const { rows, count } = await listTouchpoints(trx, input, figureOrderScope(context, input.order));
    return { items: await withFigures(trx, context, 'touchpoint', rows.map(toTouchpoint)), count };
  },
  recent: (trx, input, context) => recentTouchpoints(trx, context, input.client_id),
  duplicate: async (trx, { id, ...input }) => toTouchpoint(await duplicateTouchpoint(trx, id, input)),
  get: async (trx, input) => {
    const { open_send_id, is_planned, is_changed, ...row } = await getTouchpointDetails(trx, input.id);
    return { ...toTouchpoint(row), open_send_id, is_planned, is_changed };
  },
  update: async (trx, { id, ...changes }, context) => {
    requireShown(context, changes);
    await changeTouchpoint(trx, id, changes);
    return toTouchpoint(await getTouchpoint(trx, id));
  },
  unarchive: async (trx, input) => {
    await unarchiveTouchpoint(trx, input.id);
    return toTouchpoint(await getTouchpoint(trx, input.id));
  },
  delete: async (trx, input, context) => {
    context.note({ record_name: await removeTouchpoint(trx, input.id) });
    return { id: input.id };
  },
  restore: async (trx, input) => {
    await restoreTouchpoint(trx, input.id);
    return toTouchpoint(await getTouchpoint(trx, input.id));
  },
});

export const duplicateCampaignRoute = inTransaction(
  operations.campaigns.duplicate,
  async (trx, { id, ...input }) => toCampaign(await duplicateCampaign(trx, id, input)),
);

interface TouchpointChanges {
  name?: string | undefined;
  status?: 'draft' | 'archived' | undefined;
  collection?: string | null | undefined;
}

/**
 * Changes the name and the collection of content items, and archives or reopens the touchpoint. All other statuses are
 * derived from sends.
 * @throws 404; 409 `invalid_transition`; 409 `send_in_progress` if it is scheduled or being sent; 409 `touchpoint_locked`
 *   for a collection once sending is confirmed; 422 for a collection that its brand cannot use
 */
export async function changeTouchpoint(
  trx: Transaction,
  id: string,
  { name, status, collection }: TouchpointChanges,
): Promise<void> {
  const current = await lockCurrentTouchpoint(trx, id);
  const isMoved = status !== undefined && status !== current.status;
  if (isMoved) {
    await denyWhileSending(trx, 'touchpoints', id);
    const isAllowed = status === 'archived' ? touchpointCan.archive(current) : touchpointCan.reopen(current);
    if (!isAllowed) throw invalidTransition(current.status, status);
  }
  const hasOtherItems = collection !== undefined && collection !== current.collection;
  if (hasOtherItems) {
    if (!touchpointCan.edit(current)) throw apiError('touchpoint_locked');
    if (collection !== null) await requireUsable(trx, current.organization_id, collection, current);
    await channels[current.type].releaseItems(trx, id);
  }
  if (name === undefined && !isMoved && !hasOtherItems) return;
  await updateTouchpoint(trx, id, {
    ...(name === undefined ? {} : { name }),
    ...(hasOtherItems ? { collection } : {}),
    ...(isMoved ? { status } : {}),
  });
  await (status === 'archived' ? followRemoval : touchCampaign)(trx, current.campaign_id);
}

/** Unarchives a touchpoint; does nothing if it is not archived. @throws 404 */
export async function unarchiveTouchpoint(trx: Transaction, id: string): Promise<void> {
  const current = await lockCurrentTouchpoint(trx, id);
  if (!touchpointCan.reopen(current)) return;
  await updateTouchpoint(trx, id, { status: (await hasBeenSent(trx, id)) ? 'sent' : 'draft' });
  await followReturn(trx, current.campaign_id);
}

/**
 * Deletes a touchpoint, which can be restored.
 * @returns its name
 * @throws 404; 409 `send_in_progress`
 */
export async function removeTouchpoint(trx: Transaction, id: string): Promise<string> {
  const { name, campaign_id } = await deleteTouchpoint(trx, id);
  await denyWhileSending(trx, 'touchpoints', id);
  await followRemoval(trx, campaign_id);
  return name;
}

/** Undoes `removeTouchpoint`. */
export async function restoreTouchpoint(trx: Transaction, id: string): Promise<void> {
  const restored = await undeleteTouchpoint(trx, id);
  if (restored !== undefined) await touchCampaign(trx, restored.campaign_id);
}

/**
 * Creates a draft for the same brand with copies of all touchpoints that are not archived, under their names.
 * @throws 404; 409 `too_many_records` if the campaign has more touchpoints than can be copied at once
 */
export async function duplicateCampaign(
  trx: Transaction,
  id: string,
  { name }: { name: string },
): Promise<CampaignRow> {
  const original = await getCampaign(trx, id);
  const { rows, count } = await listTouchpoints(trx, {
    campaign_id: id,
    order: 'name.asc',
    page: 0,
    page_size: maxRecords,
  });
  if (count > maxRecords) throw tooManyRecords(maxRecords);
  const copy = await createCampaign(trx, { brand_id: original.brand_id, name });
  for (const touchpoint of rows)
    if (touchpoint.status !== 'archived')
      await duplicateTouchpoint(trx, touchpoint.id, { name: touchpoint.name, campaign_id: copy.id });
  return await getCampaign(trx, copy.id);
}
