import { findNextOccurrence, listOccurrences, withoutEnd } from '@reachout/contract/rules/recurrence.ts';
import type { ItemQueue, QueueSlots } from '@reachout/contract/schedules.ts';
import type { ReviewedTouchpoint } from '../../outreach/channels/channel.ts';
import { lockCurrent } from '../../outreach/touchpoints/touchpoint-status.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Paging } from '../../platform/database/list-page.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import { changedSinceReview, type Confirmation } from '../sends/start-send.ts';
import { insertWithSend, toFirstOccurrence } from './create-schedule.ts';
import { listItems, listTakenTimes } from './item-queue.queries.ts';
import { findSlots, type ScheduleTime } from './schedule.queries.ts';

/**
 * Confirms an email once for each item, at the next free times of a rule: one send and one schedule for each item. All or none
 * are added.
 * @param proposals  of the same touchpoint, in the order in which they are sent
 * @throws like `createSchedule`; 422 `invalid_input` if the rule has too few free times
 */
export async function queueItems(
  trx: Transaction,
  proposals: readonly ReviewedTouchpoint[],
  { time, ...confirmation }: Confirmation & { time: ScheduleTime },
): Promise<void> {
  const [{ touchpoint }] = proposals as [ReviewedTouchpoint];
  // Locked first, so that another call cannot take the same times.
  await lockCurrent(trx, touchpoint.id);
  const free = (await listFreeTimes(trx, touchpoint.id, time)).slice(0, proposals.length);
  if (free.length < proposals.length)
    throw invalidInput('rrule', `These times have ${free.length} free of ${proposals.length}. Add more.`);
  // Before the first one changes the touchpoint.
  for (const { isCurrent } of proposals) if (!(await isCurrent(trx))) throw changedSinceReview();
  const { start_date, time_zone, rrule } = time;
  for (const [index, proposal] of proposals.entries())
    await insertWithSend(trx, proposal, {
      ...confirmation,
      from: { ...time, start_date: free[index]!, rrule: null },
      inSeries: true,
      slots: { start_date, time_zone, rrule },
      isKnownCurrent: true,
    });
}

/**
 * The times of a rule that no item of the touchpoint has yet, in order: at most 500.
 * @throws 422 `invalid_input` for a time that has passed or a rule without occurrences
 */
export async function listFreeTimes(
  trx: Transaction,
  touchpointId: string,
  time: ScheduleTime,
): Promise<string[]> {
  const first = await toFirstOccurrence(trx, time);
  const taken = await listTakenTimes(trx, touchpointId, first.start_date);
  return listOccurrences(first).filter((at) => !taken.has(at));
}

/** @param page  of the items of a touchpoint, the one that comes last first */
export async function listQueue(
  trx: Transaction,
  touchpointId: string,
  page: Paging = { page: 0, page_size: 20 },
): Promise<ItemQueue> {
  return { ...(await listItems(trx, touchpointId, page)), slots: await findFreeSlots(trx, touchpointId) };
}

/** The times with which items were last added, from the next free one on. */
async function findFreeSlots(trx: Transaction, touchpointId: string): Promise<QueueSlots | null> {
  const found = await findSlots(trx, touchpointId);
  if (!found || found.slots.rrule === null) return null;
  const { slots, now } = found;
  const rrule = withoutEnd(found.slots.rrule);
  const taken = await listTakenTimes(trx, touchpointId, slots.start_date);
  const start_date = findNextOccurrence({ ...slots, rrule }, now, taken);
  return start_date === undefined ? null : { start_date, time_zone: slots.time_zone, rrule };
}
