import type { TouchpointStatus } from '@reachout/contract/statuses.ts';
import { touchCampaign } from '../campaigns/campaign-status.ts';
import { invalidTransition } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { assertTransition } from '../../platform/transitions.ts';
import { touchpointTransitions } from './touchpoint.ts';
import { lockCurrentTouchpoint, lockTouchpoint, updateTouchpoint } from './touchpoint.queries.ts';

/**
 * Moves a touchpoint on and holds it until the transaction ends; its campaign counts as changed.
 * To begin a send take `lockCurrentTouchpoint` first: it refuses what is deleted and keeps everything above in place.
 * Lock order everywhere: send, touchpoint, campaign, brand, client.
 * @param from the statuses that the caller knows how to leave; the transition table applies as well
 * @returns the status it had, and its campaign
 * @throws 409 `invalid_transition`; 404 when there is no such touchpoint in this organization
 */
export async function setTouchpointStatus(
  trx: Transaction,
  touchpointId: string,
  from: readonly TouchpointStatus[],
  to: TouchpointStatus,
): Promise<{ status: TouchpointStatus; campaign_id: string }> {
  const { type, status, campaign_id } = await lockTouchpoint(trx, touchpointId);
  if (!from.includes(status)) throw invalidTransition(status, to);
  assertTransition(touchpointTransitions[type], status, to);
  await updateTouchpoint(trx, touchpointId, { status: to });
  await touchCampaign(trx, campaign_id);
  return { status, campaign_id };
}

/** Holds a touchpoint, and all above it, for a send that is about to begin. @throws 404 unless it is there and visible */
export const holdTouchpoint = (trx: Transaction, touchpointId: string) =>
  lockCurrentTouchpoint(trx, touchpointId);
