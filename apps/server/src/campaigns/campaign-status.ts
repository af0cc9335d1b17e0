import type { CampaignStatus } from '@reachout/contract/statuses.ts';
import { invalidTransition } from '../platform/call-error.ts';
import type { Transaction } from '../platform/database/database.ts';
import { assertTransition } from '../platform/transitions.ts';
import { campaignTransitions, statusFromTouchpoints } from './campaign.ts';
import { listTouchpointStatuses, lockCampaign, updateCampaign } from './campaign.queries.ts';

/**
 * Moves a campaign on and holds it until the transaction ends.
 * Lock order everywhere: send, touchpoint, campaign, brand, client.
 * @param from the statuses that the caller knows how to leave; product.md's table applies besides
 * @returns the status it had
 * @throws 409 `invalid_transition`; 404 when there is no such campaign in this organization
 */
export async function setCampaignStatus(
  trx: Transaction,
  campaignId: string,
  from: readonly CampaignStatus[],
  to: CampaignStatus,
): Promise<CampaignStatus> {
  const { status } = await lockCampaign(trx, campaignId);
  if (!from.includes(status)) throw invalidTransition(status, to);
  assertTransition(campaignTransitions, status, to);
  await updateCampaign(trx, campaignId, { status: to });
  return status;
}

/** Marks a campaign as changed, because something in it was (specification section 9, "Recent campaigns"). */
export const touchCampaign = (trx: Transaction, campaignId: string): Promise<void> =>
  updateCampaign(trx, campaignId, {});

/** Brings a campaign's status in line with its touchpoints, after one of them was sent, paused or cancelled. */
export async function followTouchpoints(trx: Transaction, campaignId: string): Promise<void> {
  const { status } = await lockCampaign(trx, campaignId);
  if (status === 'archived') return;
  const next = statusFromTouchpoints(await listTouchpointStatuses(trx, campaignId));
  if (next !== status) await updateCampaign(trx, campaignId, { status: next });
}
