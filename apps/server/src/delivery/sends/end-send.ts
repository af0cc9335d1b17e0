import { followTouchpoints } from '../../outreach/campaigns/campaign-status.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { setTouchpointStatus } from '../../outreach/touchpoints/touchpoint-status.ts';
import type { SendRef } from '../queue/delivery.queries.ts';
import {
  cancelRest,
  countOpenWork,
  listAbandonedChunks,
  recoverGap,
  recoverRetries,
} from '../queue/end-send.queries.ts';
import { tryLockSend, updateSend } from '../queue/send.queries.ts';

/** Ends a send of which nothing is left: no chunk open, nothing waiting, nothing unclear. Does nothing otherwise. */
export async function completeSend(trx: Transaction, { sendId }: SendRef): Promise<void> {
  const send = await tryLockSend(trx, sendId);
  if (send?.status !== 'sending') return;
  const { chunks, retries } = await countOpenWork(trx, sendId);
  if (chunks > 0 || retries > 0) return;
  await updateSend(trx, sendId, { status: 'completed', isEnded: true, error_content: null });
  const { campaign_id } = await setTouchpointStatus(trx, send.touchpoint_id, ['sending'], 'sent');
  await followTouchpoints(trx, campaign_id);
}

/**
 * Closes the books of a cancelled send once nothing of it is under way any more. What a dead worker had marked ahead
 * becomes uncertain, the rest is cancelled.
 */
export async function settleCancelled(trx: Transaction, ref: SendRef): Promise<void> {
  const send = await tryLockSend(trx, ref.sendId);
  if (send?.status !== 'cancelled' || send.end_date !== null) return;
  const { leased } = await countOpenWork(trx, ref.sendId);
  if (leased > 0) return;
  for (const chunk of await listAbandonedChunks(trx, ref.sendId))
    await recoverGap(trx, ref, chunk.lo, chunk.started_upto);
  await recoverRetries(trx, ref);
  await cancelRest(trx, ref.sendId);
}
