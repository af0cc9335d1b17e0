import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import { requireUsable } from '../../content/collections/content-collection.ts';
import { followRemoval, followReturn, touchCampaign } from '../campaigns/campaign-status.ts';
import { denyWhileSending } from '../../identity/organizations/deny-while-sending.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { apiError, invalidTransition } from '../../platform/http/api-error.ts';
import { channels } from '../channels/channels.ts';
import {
  deleteTouchpoint,
  hasBeenSent,
  lockCurrentTouchpoint,
  undeleteTouchpoint,
  updateTouchpoint,
} from './touchpoint.queries.ts';

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
