import { campaignCan, campaignStatusFrom, campaignTransitions } from '@reachout/contract/states/campaign.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { apiError, assertTransition } from '../../platform/http/api-error.ts';
import { listTouchpointStatuses, lockCampaign, updateCampaign } from './campaign.queries.ts';

/** Marks a campaign as changed because something in it changed. */
export const touchCampaign = (trx: Transaction, campaignId: string): Promise<void> =>
  updateCampaign(trx, campaignId, {});

/** Updates a campaign after one of its touchpoints was archived or deleted. */
export async function followRemoval(trx: Transaction, campaignId: string): Promise<void> {
  const campaign = await lockCampaign(trx, campaignId);
  await (campaignCan.followRemoval(campaign) ? followTouchpoints : touchCampaign)(trx, campaignId);
}

/** Updates a campaign after one of its touchpoints was unarchived. */
export async function followReturn(trx: Transaction, campaignId: string): Promise<void> {
  const campaign = await lockCampaign(trx, campaignId);
  const now = campaignStatusFrom(await listTouchpointStatuses(trx, campaignId));
  await (campaignCan.followReturn(campaign, now) ? followTouchpoints : touchCampaign)(trx, campaignId);
}

/** @throws 404; 409 `campaign_archived` */
export async function assertTakesTouchpoints(trx: Transaction, campaignId: string): Promise<void> {
  if (!campaignCan.addTouchpoint(await lockCampaign(trx, campaignId))) throw apiError('campaign_archived');
}

/**
 * Derives a campaign's status from its touchpoints, after one of them changed its own, and marks the campaign as
 * changed. Locks the campaign until the transaction ends.
 * Lock order everywhere: send, touchpoint, campaign, brand, client.
 * @throws 404 if there is no such campaign in this organization
 */
export async function followTouchpoints(trx: Transaction, campaignId: string): Promise<void> {
  const campaign = await lockCampaign(trx, campaignId);
  const status = campaignStatusFrom(await listTouchpointStatuses(trx, campaignId));
  if (!campaignCan.followTouchpoints(campaign) || status === campaign.status)
    return await touchCampaign(trx, campaignId);
  assertTransition(campaignTransitions, campaign.status, status);
  await updateCampaign(trx, campaignId, { status });
}
