import {
  endsAtOnce,
  sendCan,
  sendTransitions,
  touchpointStatusAfter,
  type SendStatus,
} from '@reachout/contract/states/send.ts';
import type { TouchpointStatus } from '@reachout/contract/states/touchpoint.ts';
import { statusAtEnd } from '../../outreach/touchpoints/find-touchpoint.ts';
import { noteNewTime, setTouchpointStatus } from '../../outreach/touchpoints/touchpoint-status.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { assertTransition } from '../../platform/http/api-error.ts';
import { countDoneChunksNow } from '../../queue/chunk-counts.queries.ts';
import { followSends } from '../schedules/schedule.queries.ts';
import { listSeriesStatuses } from '../../queue/planned-sends.queries.ts';
import { updateSend, type LockedSend, type SendChanges } from '../../queue/send.queries.ts';

/**
 * Changes the status of a send, and with it that of its schedule, touchpoint and campaign; a follow-up or a test changes only
 * its own. Called for users, for workers, and when a send stops by itself.
 * @param isCounted  false if adding the counters of finished chunks may be what fails; the next change adds them
 * @throws 409 `invalid_transition`
 */
export async function setSendStatus(
  trx: Transaction,
  { organization_id: organizationId, id, status, touchpoint_id, ...send }: LockedSend,
  to: SendStatus,
  changes: SendChanges = {},
  { isCounted = true }: { isCounted?: boolean } = {},
): Promise<void> {
  assertTransition(sendTransitions, status, to);
  if (isCounted && sendCan.deliver({ status })) await countDoneChunksNow(trx, { organizationId, sendId: id });
  await updateSend(trx, id, { ...changes, status: to, isEnded: endsAtOnce(to) });
  const touchpointStatus = send.in_series
    ? await statusOfSeries(trx, touchpoint_id)
    : touchpointStatusAfter(send, status, to);
  if (touchpointStatus !== undefined) await setTouchpointStatus(trx, touchpoint_id, touchpointStatus);
  // Of a series, another send is the next one now, while the status of the touchpoint may stay.
  if (send.in_series && (sendCan.undo({ status }) || sendCan.undo({ status: to })))
    await noteNewTime(trx, touchpoint_id);
  if (send.schedule_id !== null) await followSends(trx, send.schedule_id);
}

/** A touchpoint with a series is active while a send of it is to come or going out, and paused while all of them are. */
async function statusOfSeries(trx: Transaction, touchpointId: string): Promise<TouchpointStatus> {
  const open = await listSeriesStatuses(trx, touchpointId);
  if (open.length > 0) return open.every((status) => sendCan.resume({ status })) ? 'paused' : 'active';
  return await statusAtEnd(trx, touchpointId);
}
