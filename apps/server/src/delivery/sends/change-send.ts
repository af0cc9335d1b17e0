import { isPausedByRejections, sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import { openSendStatuses, sendCan } from '@reachout/contract/states/send.ts';
import { noteNewTime } from '../../outreach/touchpoints/touchpoint-status.ts';
import { liftBounced } from '../../contacts/consent/suppress-addresses.ts';
import { invalidTransition } from '../../platform/http/api-error.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { completeCancelled } from './end-send.ts';
import { resolveUncertain } from '../../queue/resolve-uncertain.queries.ts';
import { setSendStatus } from './send-status.ts';
import { isNearlyAll } from '../../queue/delivery.ts';
import { countBounces, postponeSend } from '../../queue/send-failures.queries.ts';
import { lockSend, setSendError, updateSend, type LockedSend } from '../../queue/send.queries.ts';
import { queueNextOccurrence } from '../schedules/next-occurrence.ts';
import { undoMs } from './send.ts';

/**
 * Workers stop starting messages within a second; those in progress finish. A send that has not started is held.
 * @throws 404; 409 `invalid_transition`
 */
export async function pauseSend(trx: Transaction, id: string): Promise<void> {
  const send = await lockSend(trx, id);
  await setSendStatus(trx, send, sendCan.hold(send) ? 'held' : 'paused');
  await notifyWorkers(trx);
}

/** Pauses a send whatever it is doing; does nothing if it is paused. @returns whether it was changed */
export async function stopSend(trx: Transaction, id: string, error?: SendError): Promise<boolean> {
  const send = await lockSend(trx, id);
  if (sendCan.resume(send) || !openSendStatuses.includes(send.status)) return false;
  const changes = error === undefined ? {} : { error };
  await setSendStatus(trx, send, sendCan.pause(send) ? 'paused' : 'held', changes);
  return true;
}

/**
 * Continues a send that was stopped. One whose time has passed meanwhile stays held: only its own resume sends it late.
 * @returns undefined if there is nothing to resume
 */
export async function continueSend(trx: Transaction, id: string): Promise<'resumed' | 'held' | undefined> {
  const send = await lockSend(trx, id);
  if (!sendCan.resume(send)) return undefined;
  if (send.status === 'held' && send.is_past) {
    await setSendError(trx, id, sendError('started_late'));
    return 'held';
  }
  await setSendStatus(trx, send, send.status === 'held' ? 'queued' : 'sending', { error: null });
  return 'resumed';
}

/** Changes the start of a send that has not started; its occurrence is then the one at that time. */
export async function moveSend(
  trx: Transaction,
  send: LockedSend,
  at: string,
  startAt: string,
): Promise<void> {
  const changes = { startAt, occurrence_at: at, error: null };
  if (send.status === 'held') await setSendStatus(trx, send, 'queued', changes);
  else await updateSend(trx, send.id, { ...changes, status: 'queued', isEnded: false });
  await noteNewTime(trx, send.touchpoint_id);
}

/**
 * Pauses a send that needs a user to continue; does nothing if it has already stopped. If the mail server rejected the
 * send as a whole, its last bounces are no evidence against their addresses.
 * @param options.doubtfulMs  how long ago the first of these bounces came
 * @param options.isCounted  of `setSendStatus`
 */
export async function pauseOnErrors(
  trx: Transaction,
  id: string,
  error: SendError,
  { doubtfulMs, isCounted = true }: { doubtfulMs: number; isCounted?: boolean },
): Promise<void> {
  const send = await lockSend(trx, id);
  if (!sendCan.pause(send)) return;
  await setSendStatus(trx, send, 'paused', { error }, { isCounted });
  if (isPausedByRejections(error)) {
    const { sent, bounced } = await countBounces(trx, id);
    await liftBounced(trx, id, isNearlyAll(bounced, sent) ? undefined : { recentMs: doubtfulMs });
  }
  await notifyWorkers(trx);
}

/** Consecutive failures after which a user is needed. Before that, the delays double: 10 s, 20 s, 40 s, 80 s. */
export const failuresToGiveUp = 5;
const firstFailureDelayMs = 10_000;

/**
 * Records that a worker could not prepare or load a send, for a reason that only the log states. The send is retried. The
 * fifth failure makes it `failed`, or `paused` if it was already `sending`.
 */
export async function recordFailure(trx: Transaction, id: string): Promise<void> {
  const send = await lockSend(trx, id);
  if (!sendCan.prepare(send) && !sendCan.deliver(send)) return;
  const failure_count = send.failure_count + 1;
  if (failure_count < failuresToGiveUp) {
    const delayMs = firstFailureDelayMs * 2 ** (failure_count - 1);
    await postponeSend(trx, id, delayMs, {
      failure_count,
      worker_deaths: 0,
      error: sendError('unexpected_retried'),
    });
    return;
  }
  const count = failuresToGiveUp;
  const forgotten = { failure_count: 0, worker_deaths: 0 };
  if (sendCan.prepare(send))
    await setSendStatus(trx, send, 'failed', {
      error: sendError('unexpected_failed', { count }),
      ...forgotten,
    });
  else
    await setSendStatus(
      trx,
      send,
      'paused',
      { error: sendError('unexpected_paused', { count }), ...forgotten },
      { isCounted: false },
    );
}

/** A held send whose time has passed starts in a minute, so that it can be undone. @throws 404; 409 `invalid_transition` */
export async function resumeSend(trx: Transaction, id: string): Promise<void> {
  const send = await lockSend(trx, id);
  if (!sendCan.resume(send)) throw invalidTransition(send.status, 'sending');
  if (send.status === 'held')
    await setSendStatus(trx, send, 'queued', { error: null, ...(send.is_past ? { startAt: undoMs } : {}) });
  else await setSendStatus(trx, send, 'sending', { error: null });
  await notifyWorkers(trx);
}

/**
 * Cancels a send, before it starts or while it is sending. Messages in progress are still sent and counted; then the rest
 * counts as cancelled. If the send was not sending yet, its touchpoint becomes a draft again, or the next occurrence of its
 * schedule is queued.
 * @throws 404; 409 `invalid_transition`
 */
export async function cancelSend(trx: Transaction, id: string): Promise<void> {
  const send = await lockSend(trx, id);
  // First, so that a series goes on without a moment at which nothing is to come.
  if (sendCan.undo(send)) await queueNextOccurrence(trx, send);
  await setSendStatus(trx, send, 'cancelled', { error: null });
  await completeCancelled(trx, { organizationId: send.organization_id, sendId: id });
  await notifyWorkers(trx);
}

/** Decides what happens to uncertain messages. @throws 404; 409 `invalid_transition` for a retry */
export async function decideUncertain(
  trx: Transaction,
  id: string,
  decision: 'retry' | 'treat_as_sent',
): Promise<void> {
  const send = await lockSend(trx, id);
  if (decision === 'retry' && !sendCan.retryUncertain(send)) throw invalidTransition(send.status, 'sending');
  await resolveUncertain(trx, { organizationId: send.organization_id, sendId: id }, decision);
  await notifyWorkers(trx);
}
