import type { TouchpointStatus } from '@reachout/contract/statuses.ts';
import { createBuiltInBackend } from '../../content/built-in/built-in-backend.ts';
import { findTemplate } from '../../content/templates/templates.ts';
import { touchCampaign } from '../campaigns/campaign-status.ts';
import { refuseWhileSending } from '../../identity/organizations/deny-while-sending.ts';
import { callError, invalidInput, notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { assertTransition } from '../../platform/transitions.ts';
import { isEmailLocked, touchpointTransitions } from './touchpoint.ts';
import {
  holdFilter,
  updateTouchpointEmail,
  type EmailChanges,
} from '../channels/email/touchpoint-email.queries.ts';
import {
  deleteTouchpoint,
  lockCurrentTouchpoint,
  restoreTouchpoint,
  updateTouchpoint,
} from './touchpoint.queries.ts';

/**
 * What a person changes: the name, and whether it is archived. All other statuses follow from sends.
 * @throws 404; 409 `invalid_transition`; 409 `send_in_progress` where it is scheduled or being sent
 */
export async function changeTouchpoint(
  trx: Transaction,
  id: string,
  { name, status }: { name?: string | undefined; status?: TouchpointStatus | undefined },
): Promise<void> {
  const current = await lockCurrentTouchpoint(trx, id);
  const isMoved = status !== undefined && status !== current.status;
  if (isMoved) {
    assertTransition(touchpointTransitions[current.type], current.status, status);
    await refuseWhileSending(trx, 'touchpoints', id);
  }
  if (name === undefined && !isMoved) return;
  await updateTouchpoint(trx, id, {
    ...(name === undefined ? {} : { name }),
    ...(isMoved ? { status } : {}),
  });
  await touchCampaign(trx, current.campaign_id);
}

/**
 * Subject, sender, template, audience.
 * @throws 404; 409 `touchpoint_locked` once it is confirmed to be sent; 422 for a template or an audience that does not exist here
 */
export async function changeEmail(trx: Transaction, id: string, changes: EmailChanges): Promise<void> {
  const { type, status, campaign_id, organization_id } = await lockCurrentTouchpoint(trx, id);
  if (type !== 'email') throw notFound();
  if (isEmailLocked(status)) {
    throw callError(409, 'touchpoint_locked', 'This email is being sent and can no longer be changed.');
  }
  const { filter_id, template_id } = changes;
  if (typeof filter_id === 'string' && !(await holdFilter(trx, filter_id))) {
    throw invalidInput('filter_id', 'There is no such audience.');
  }
  if (typeof template_id === 'string') {
    const backend = createBuiltInBackend(trx, { organizationId: organization_id, userId: null });
    if ((await findTemplate(backend, template_id)) === undefined)
      throw invalidInput('template_id', 'There is no such template.');
  }
  if (Object.keys(changes).length === 0) return;
  await updateTouchpointEmail(trx, id, changes);
  await updateTouchpoint(trx, id, {});
  await touchCampaign(trx, campaign_id);
}

/**
 * @returns its name
 * @throws 404; 409 `send_in_progress`
 */
export async function removeTouchpoint(trx: Transaction, id: string): Promise<string> {
  const { name, campaign_id } = await deleteTouchpoint(trx, id);
  await refuseWhileSending(trx, 'touchpoints', id);
  await touchCampaign(trx, campaign_id);
  return name;
}

/** Undoes `removeTouchpoint`. */
export async function bringBackTouchpoint(trx: Transaction, id: string): Promise<void> {
  const campaignId = await restoreTouchpoint(trx, id);
  if (campaignId !== undefined) await touchCampaign(trx, campaignId);
}
