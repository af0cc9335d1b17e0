import { isSettling, sendCan } from '@reachout/contract/states/send.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { countDoneChunksNow } from '../queue/chunk-counts.queries.ts';
import type { SendKey } from '../queue/send-statements.ts';
import {
  cancelRest,
  listAbandonedChunks,
  recoverUnconfirmed,
  recoverQueued,
} from '../queue/cancel-send.queries.ts';
import { findOpenWork, scheduleSend, type WaitingLane } from '../queue/schedule-send.queries.ts';
import { setSendStatus } from './send-status.ts';
import { tryLockSend } from '../queue/send.queries.ts';

/**
 * After a worker found nothing of a send to take: ends it when nothing is left, no chunk open, nothing waiting, nothing
 * unclear, and nothing can be added. Otherwise it is due again when there will be something.
 * @param waiting  lanes of which nothing is taken for now
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
  else await setSendStatus(trx, send, 'completed', { error: null });
}

/**
 * Closes the accounts of a cancelled send once nothing of it is under way any more. What a dead worker had marked ahead
 * becomes uncertain, the rest is cancelled.
 */
export async function completeCancelled(trx: Transaction, ref: SendKey): Promise<void> {
  const send = await tryLockSend(trx, ref.sendId);
  if (send === undefined || !isSettling(send)) return;
  if ((await findOpenWork(trx, ref.sendId)).isLeased) return;
  for (const chunk of await listAbandonedChunks(trx, ref.sendId))
    await recoverUnconfirmed(trx, ref, chunk.first_seq, chunk.marked_up_to);
  await recoverQueued(trx, ref);
  await cancelRest(trx, ref);
}
