import { campaignCan, campaignStatusFrom } from '@reachout/contract/states/campaign.ts';
import { denyWhileSending } from '../../identity/organizations/deny-while-sending.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { invalidTransition } from '../../platform/http/api-error.ts';
import { listTouchpointStatuses, lockCurrentCampaign, updateCampaign } from './campaign.queries.ts';

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
