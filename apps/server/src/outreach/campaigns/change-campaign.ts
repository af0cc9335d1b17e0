import { campaignCan, campaignStatusFrom } from '@reachout/contract/states/campaign.ts';
import { denyWhileSending } from '../../identity/organizations/deny-while-sending.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { invalidTransition } from '../../platform/http/api-error.ts';
import { listTouchpointStatuses, lockCurrentCampaign, updateCampaign } from './campaign.queries.ts';

/**
 * Changes the name, and archives or reopens. All other statuses follow from touchpoints.
 * @throws 404; 409 `invalid_transition`; 409 `send_in_progress` where a touchpoint is about to be sent
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

/** Undoes the archiving of a campaign, and does nothing to one that is not archived. @throws 404 */
export async function unarchiveCampaign(trx: Transaction, id: string): Promise<void> {
  if (!campaignCan.reopen(await lockCurrentCampaign(trx, id))) return;
  const isCompleted = campaignStatusFrom(await listTouchpointStatuses(trx, id)) === 'completed';
  await updateCampaign(trx, id, { status: isCompleted ? 'completed' : 'draft' });
}
