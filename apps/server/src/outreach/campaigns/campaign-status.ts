import { campaignCan, campaignStatusFrom, campaignTransitions } from '@reachout/contract/states/campaign.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { apiError } from '../../platform/http/api-error.ts';
import { assertTransition } from '../../platform/http/assert-transition.ts';
import { listTouchpointStatuses, lockCampaign, updateCampaign } from './campaign.queries.ts';

/** Marks a campaign as changed, because something in it was. */
export const touchCampaign = (trx: Transaction, campaignId: string): Promise<void> =>
  updateCampaign(trx, campaignId, {});

/** After a touchpoint of it was archived or deleted. */
export async function followRemoval(trx: Transaction, campaignId: string): Promise<void> {
  const campaign = await lockCampaign(trx, campaignId);
  await (campaignCan.followRemoval(campaign) ? followTouchpoints : touchCampaign)(trx, campaignId);
}

/** After a touchpoint of it came back out of the archive. */
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
 * Brings a campaign's status in line with its touchpoints, after one of them changed its own, and holds the campaign
 * until the transaction ends. The campaign counts as changed.
 * Lock order everywhere: send, touchpoint, campaign, brand, client.
 * @throws 404 when there is no such campaign in this organization
 */
export async function followTouchpoints(trx: Transaction, campaignId: string): Promise<void> {
  const campaign = await lockCampaign(trx, campaignId);
  const status = campaignStatusFrom(await listTouchpointStatuses(trx, campaignId));
  if (!campaignCan.followTouchpoints(campaign) || status === campaign.status)
    return await touchCampaign(trx, campaignId);
  assertTransition(campaignTransitions, campaign.status, status);
  await updateCampaign(trx, campaignId, { status });
}
