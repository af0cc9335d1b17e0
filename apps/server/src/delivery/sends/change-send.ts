import { followTouchpoints } from '../../outreach/campaigns/campaign-status.ts';
import { announceWork } from '../../platform/database/notify.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { setTouchpointStatus } from '../../outreach/touchpoints/touchpoint-status.ts';
import { settleCancelled } from './end-send.ts';
import { resolveUncertain } from '../queue/end-send.queries.ts';
import { assertSendTransition } from './send.ts';
import { lockSend, updateSend } from '../queue/send.queries.ts';

/** Workers start nothing more within a second; what is under way finishes. @throws 404; 409 `invalid_transition` */
export async function pauseSend(trx: Transaction, id: string): Promise<void> {
  const send = await lockSend(trx, id);
  assertSendTransition(send.status, 'paused');
  await updateSend(trx, id, { status: 'paused' });
  const { campaign_id } = await setTouchpointStatus(trx, send.touchpoint_id, ['sending'], 'paused');
  await followTouchpoints(trx, campaign_id);
  await announceWork(trx);
}

/** @throws 404; 409 `invalid_transition` */
export async function resumeSend(trx: Transaction, id: string): Promise<void> {
  const send = await lockSend(trx, id);
  assertSendTransition(send.status, 'sending');
  await updateSend(trx, id, { status: 'sending', error_content: null });
  // A send that paused itself left its touchpoint as it was.
  const { campaign_id } = await setTouchpointStatus(
    trx,
    send.touchpoint_id,
    ['paused', 'sending'],
    'sending',
  );
  await followTouchpoints(trx, campaign_id);
  await announceWork(trx);
}

/**
 * Takes a send back, before it starts or in the middle. What is under way at this moment still leaves and is counted;
 * then the books are closed. A touchpoint of which nothing left is a draft again.
 * @throws 404; 409 `invalid_transition`
 */
export async function cancelSend(trx: Transaction, id: string): Promise<void> {
  const send = await lockSend(trx, id);
  assertSendTransition(send.status, 'cancelled');
  const hasStarted = send.status === 'sending' || send.status === 'paused';
  await updateSend(trx, id, { status: 'cancelled', error_content: null });
  await settleCancelled(trx, { organizationId: send.organization_id, sendId: id });
  const { campaign_id } = await setTouchpointStatus(
    trx,
    send.touchpoint_id,
    ['scheduled', 'sending', 'paused'],
    hasStarted ? 'sent' : 'draft',
  );
  await followTouchpoints(trx, campaign_id);
  await announceWork(trx);
}

/** Decides about the messages whose outcome is unclear. @throws 404 */
export async function decideUncertain(
  trx: Transaction,
  id: string,
  decision: 'retry' | 'treat_as_sent',
): Promise<void> {
  const { status } = await lockSend(trx, id);
  // A send that has ended starts nothing any more.
  if (decision === 'retry' && status !== 'sending' && status !== 'paused')
    assertSendTransition(status, 'sending');
  await resolveUncertain(trx, id, decision);
  await announceWork(trx);
}
