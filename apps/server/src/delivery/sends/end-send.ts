import { isSettling, sendCan } from '@reachout/contract/states/send.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { SendKey } from '../queue/delivery.queries.ts';
import {
  cancelRest,
  countOpenWork,
  listAbandonedChunks,
  recoverUnconfirmed,
  recoverRetries,
} from '../queue/end-send.queries.ts';
import { setSendStatus } from './send-status.ts';
import { tryLockSend } from '../queue/send.queries.ts';

/** Ends a send of which nothing is left: no chunk open, nothing waiting, nothing unclear. Does nothing otherwise. */
export async function completeSend(trx: Transaction, { sendId }: SendKey): Promise<void> {
  const send = await tryLockSend(trx, sendId);
  if (send === undefined || !sendCan.complete(send)) return;
  const { chunks, retries } = await countOpenWork(trx, sendId);
  if (chunks > 0 || retries > 0) return;
  await setSendStatus(trx, send, 'completed', { error_content: null });
}

/**
 * Closes the accounts of a cancelled send once nothing of it is under way any more. What a dead worker had marked ahead
 * becomes uncertain, the rest is cancelled.
 */
export async function completeCancelled(trx: Transaction, ref: SendKey): Promise<void> {
  const send = await tryLockSend(trx, ref.sendId);
  if (send === undefined || !isSettling(send)) return;
  const { leased } = await countOpenWork(trx, ref.sendId);
  if (leased > 0) return;
  for (const chunk of await listAbandonedChunks(trx, ref.sendId))
    await recoverUnconfirmed(trx, ref, chunk.first_seq, chunk.marked_up_to);
  await recoverRetries(trx, ref);
  await cancelRest(trx, ref.sendId);
}
