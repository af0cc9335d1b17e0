import { isSettling, sendCan } from '@reachout/contract/states/send.ts';
import { liftBounced } from '../../contacts/consent/suppress-addresses.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { countDoneChunksNow } from '../../queue/chunk-counts.queries.ts';
import type { SendKey } from '../../queue/send-statements.ts';
import {
  cancelRest,
  listAbandonedChunks,
  recoverUnconfirmed,
  recoverQueued,
} from '../../queue/cancel-send.queries.ts';
import { bouncesToLift, isNearlyAll } from '../../queue/delivery.ts';
import { countBounces } from '../../queue/send-failures.queries.ts';
import { findOpenWork, scheduleSend, type WaitingLane } from '../../queue/schedule-send.queries.ts';
import { setSendStatus } from './send-status.ts';
import { tryLockSend } from '../../queue/send.queries.ts';

/**
 * Runs after a worker found nothing to lease of a send. Completes the send if no chunk is open, no message is queued or
 * uncertain, and none can be added. Otherwise schedules it for when there will be work.
 * @param waiting  lanes of which nothing is leased for now
 */
export async function completeOrSchedule(
  trx: Transaction,
  ref: SendKey,
  waiting: readonly WaitingLane[],
): Promise<void> {
  const { sendId } = ref;
  const send = await tryLockSend(trx, sendId);
  if (send === undefined || !sendCan.deliver(send)) return;
  await countDoneChunksNow(trx, ref);
  const { isOpen } = await findOpenWork(trx, sendId);
  if (isOpen || !sendCan.complete(send)) await scheduleSend(trx, sendId, waiting);
  else {
    await setSendStatus(trx, send, 'completed', { error: null });
    await liftIfAllBounced(trx, sendId);
  }
}

/**
 * Ends a cancelled send once none of its messages is in progress. Messages that a dead worker had marked become uncertain,
 * the rest is cancelled.
 */
export async function completeCancelled(trx: Transaction, ref: SendKey): Promise<void> {
  const send = await tryLockSend(trx, ref.sendId);
  if (send === undefined || !isSettling(send)) return;
  if ((await findOpenWork(trx, ref.sendId)).isLeased) return;
  for (const chunk of await listAbandonedChunks(trx, ref.sendId))
    await recoverUnconfirmed(trx, ref, chunk.first_seq, chunk.marked_up_to);
  await recoverQueued(trx, ref);
  await cancelRest(trx, ref);
  await liftIfAllBounced(trx, ref.sendId);
}

/** A small send ends before it could pause: if nearly all of its messages bounced, that says nothing about the addresses. */
async function liftIfAllBounced(trx: Transaction, sendId: string): Promise<void> {
  const { sent, bounced } = await countBounces(trx, sendId);
  if (bounced >= bouncesToLift && isNearlyAll(bounced, sent)) await liftBounced(trx, sendId, undefined);
}
