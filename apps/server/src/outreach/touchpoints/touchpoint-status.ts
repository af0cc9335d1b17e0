import {
  touchpointCan,
  touchpointTransitions,
  type TouchpointStatus,
} from '@reachout/contract/states/touchpoint.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { invalidTransition, assertTransition } from '../../platform/http/api-error.ts';
import { noteChanges } from '../../clients/outbox/note-changes.ts';
import { assertTakesTouchpoints, followTouchpoints, touchCampaign } from '../campaigns/campaign-status.ts';
import { lockCurrentTouchpoint, lockTouchpoint, updateTouchpoint } from './touchpoint.queries.ts';

/**
 * Sets the status of a touchpoint, updates its campaign, and locks both until the transaction ends. Does nothing if the
 * touchpoint already has the status.
 * Lock order everywhere: send, touchpoint, campaign, brand, client.
 * @throws 409 `invalid_transition`; 404 if there is no such touchpoint in this organization
 */
export async function setTouchpointStatus(
  trx: Transaction,
  touchpointId: string,
  to: TouchpointStatus,
): Promise<void> {
  const { type, status, campaign_id } = await lockTouchpoint(trx, touchpointId);
  if (status === to) return;
  assertTransition(touchpointTransitions[type], status, to);
  await updateTouchpoint(trx, touchpointId, { status: to });
  await followTouchpoints(trx, campaign_id);
}

/** Locks a touchpoint and all its parents. @throws 404 unless it exists and is visible */
export const lockCurrent = async (trx: Transaction, touchpointId: string): Promise<void> =>
  void (await lockCurrentTouchpoint(trx, touchpointId));

/** Locks touchpoints without their parents, in the order of their ids. @throws 404 */
export async function lockTouchpoints(trx: Transaction, ids: readonly string[]): Promise<void> {
  for (const id of new Set(ids.toSorted())) await lockTouchpoint(trx, id);
}

/** Notes that the time of the next send has changed, which is part of the copies of the touchpoint and its campaign. */
export async function noteNewTime(trx: Transaction, touchpointId: string): Promise<void> {
  const { campaign_id } = await lockTouchpoint(trx, touchpointId);
  await noteChanges(trx, 'reachout_touchpoints', [touchpointId]);
  await touchCampaign(trx, campaign_id);
  await noteChanges(trx, 'reachout_campaigns', [campaign_id]);
}

/**
 * Locks a touchpoint and all its parents for a send that is about to start.
 * @param to  the status that the touchpoint will have
 * @throws 404 unless it exists and is visible; 409 `invalid_transition`, `campaign_archived`
 */
export async function lockForSend(
  trx: Transaction,
  touchpointId: string,
  to: 'scheduled' | 'active',
): Promise<void> {
  const touchpoint = await lockCurrentTouchpoint(trx, touchpointId);
  const canBegin = to === 'scheduled' ? touchpointCan.send : touchpointCan.activate;
  if (!canBegin(touchpoint)) throw invalidTransition(touchpoint.status, to);
  await assertTakesTouchpoints(trx, touchpoint.campaign_id);
}

/**
 * Locks a touchpoint and all its parents for a send that does not change it.
 * @throws 404 unless it exists and is visible; 409 `invalid_transition` if it is archived, `campaign_archived`
 */
export async function holdForSend(trx: Transaction, touchpointId: string): Promise<void> {
  const { campaign_id, status } = await lockCurrentTouchpoint(trx, touchpointId);
  if (status === 'archived') throw invalidTransition(status, 'sending');
  await assertTakesTouchpoints(trx, campaign_id);
}
