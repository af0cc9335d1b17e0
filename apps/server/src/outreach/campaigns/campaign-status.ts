import type { Transaction } from '../../platform/database/database.ts';
import { statusFromTouchpoints } from './campaign.ts';
import { listTouchpointStatuses, lockCampaign, updateCampaign } from './campaign.queries.ts';

/** Marks a campaign as changed, because something in it was. */
export const touchCampaign = (trx: Transaction, campaignId: string): Promise<void> =>
  updateCampaign(trx, campaignId, {});

/**
 * Brings a campaign's status in line with its touchpoints, after one of them was sent, paused or cancelled, and holds
 * the campaign until the transaction ends. Lock order everywhere: send, touchpoint, campaign, brand, client.
 * @throws 404 when there is no such campaign in this organization
 */
export async function followTouchpoints(trx: Transaction, campaignId: string): Promise<void> {
  const { status } = await lockCampaign(trx, campaignId);
  if (status === 'archived') return;
  const next = statusFromTouchpoints(await listTouchpointStatuses(trx, campaignId));
  if (next !== status) await updateCampaign(trx, campaignId, { status: next });
}
