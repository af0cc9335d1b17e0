import {
  endsAtOnce,
  sendCan,
  sendTransitions,
  touchpointStatusAfter,
  type SendStatus,
} from '@reachout/contract/states/send.ts';
import { setTouchpointStatus } from '../../outreach/touchpoints/touchpoint-status.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { assertTransition } from '../../platform/http/assert-transition.ts';
import { countDoneChunksNow } from '../../queue/chunk-counts.queries.ts';
import { updateSend, type LockedSend, type SendChanges } from '../../queue/send.queries.ts';

/**
 * Changes the status of a send, and that of its touchpoint and campaign unless it is a follow-up or a test. Called for
 * users, for workers, and when a send stops by itself.
 * @param isCounted  false if adding the counters of finished chunks may be what fails; the next change adds them
 * @throws 409 `invalid_transition`
 */
export async function setSendStatus(
  trx: Transaction,
  { organization_id: organizationId, id, kind, status, touchpoint_id }: LockedSend,
  to: SendStatus,
  changes: SendChanges = {},
  { isCounted = true }: { isCounted?: boolean } = {},
): Promise<void> {
  assertTransition(sendTransitions, status, to);
  if (isCounted && sendCan.deliver({ status })) await countDoneChunksNow(trx, { organizationId, sendId: id });
  await updateSend(trx, id, { ...changes, status: to, isEnded: endsAtOnce(to) });
  const touchpointStatus = touchpointStatusAfter(kind, status, to);
  if (touchpointStatus !== undefined) await setTouchpointStatus(trx, touchpoint_id, touchpointStatus);
}
