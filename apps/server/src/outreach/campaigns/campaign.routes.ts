import { campaignCan, campaignStatusFrom } from '@reachout/contract/states/campaign.ts';
import { figureOrderScope, withFigures } from '../../clients/figures/figures.ts';
import { inTransactions, operations } from '../../identity/access/operations.ts';
import { denyWhileSending } from '../../identity/organizations/deny-while-sending.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { invalidTransition } from '../../platform/http/api-error.ts';
import {
  deleteCampaign,
  getCampaign,
  listCampaigns,
  listTouchpointStatuses,
  lockCurrentCampaign,
  restoreCampaign,
  updateCampaign,
} from './campaign.queries.ts';
import { toCampaign } from './campaign.ts';
import { createCampaign, recentCampaigns } from './campaigns.ts';

export const campaignRoutes = inTransactions(operations.campaigns, {
  list: async (trx, input, context) => {
    const { rows, count } = await listCampaigns(trx, input, figureOrderScope(context, input.order));
    return { items: await withFigures(trx, context, 'campaign', rows.map(toCampaign)), count };
  },
  recent: (trx, input, context) => recentCampaigns(trx, context, input.client_id),
  create: async (trx, input) => toCampaign(await createCampaign(trx, input)),
  get: async (trx, input) => toCampaign(await getCampaign(trx, input.id)),
  update: async (trx, { id, ...changes }) => {
    await changeCampaign(trx, id, changes);
    return toCampaign(await getCampaign(trx, id));
  },
  unarchive: async (trx, input) => {
    await unarchiveCampaign(trx, input.id);
    return toCampaign(await getCampaign(trx, input.id));
  },
  delete: async (trx, input, context) => {
    context.note({ record_name: (await deleteCampaign(trx, input.id)).name });
    await denyWhileSending(trx, 'campaigns', input.id);
    return { id: input.id };
  },
  restore: async (trx, input) => {
    await restoreCampaign(trx, input.id);
    return toCampaign(await getCampaign(trx, input.id));
  },
});

/**
 * Changes the name, and archives or reopens the campaign. All other statuses are derived from touchpoints.
 * @throws 404; 409 `invalid_transition`; 409 `send_in_progress` if a touchpoint is about to be sent
 */
export async function changeCampaign(
  trx: Transaction,
  id: string,
  changes: { name?: string | undefined; status?: 'draft' | 'archived' | undefined },
): Promise<void> {
  const { name, status } = changes;
  const current = await lockCurrentCampaign(trx, id);
  const isMoved = status !== undefined && status !== current.status;
  if (isMoved) {
    await denyWhileSending(trx, 'campaigns', id);
    const isAllowed = status === 'archived' ? campaignCan.archive(current) : campaignCan.reopen(current);
    if (!isAllowed) throw invalidTransition(current.status, status);
  }
  if (name === undefined && !isMoved) return;
  await updateCampaign(trx, id, { ...(name === undefined ? {} : { name }), ...(isMoved ? { status } : {}) });
}

/** Unarchives a campaign; does nothing if it is not archived. @throws 404 */
export async function unarchiveCampaign(trx: Transaction, id: string): Promise<void> {
  if (!campaignCan.reopen(await lockCurrentCampaign(trx, id))) return;
  const isCompleted = campaignStatusFrom(await listTouchpointStatuses(trx, id)) === 'completed';
  await updateCampaign(trx, id, { status: isCompleted ? 'completed' : 'draft' });
}
