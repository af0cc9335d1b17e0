import { recurrenceFrom } from '@reachout/contract/rules/recurrence.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import { invalidInput, invalidTransition } from '../../platform/http/api-error.ts';
import { lockSend } from '../../queue/send.queries.ts';
import { lockCurrent } from '../../outreach/touchpoints/touchpoint-status.ts';
import { cancelSend, moveSend } from '../sends/change-send.ts';
import { requireFreeTime } from '../sends/start-send.ts';
import { toFirstOccurrence } from './create-schedule.ts';
import { deleteSchedule, getSchedule, updateSchedule, type ScheduleTime } from './schedule.queries.ts';
import { lockOpenSends } from './pause-all.ts';
import { startOf, timesOf } from './send-times.ts';

/**
 * Moves the send that comes next, and changes the rule for those after it. One whose time has passed is queued again.
 * @throws 404; 409 `invalid_transition` if none is to come; 422 `invalid_input`
 */
export async function moveSchedule(
  trx: Transaction,
  id: string,
  changes: { [K in keyof ScheduleTime]?: ScheduleTime[K] | undefined },
): Promise<void> {
  const { next, ...before } = await getSchedule(trx, id);
  if (next === null) throw invalidTransition('sent', 'scheduled');
  const send = await lockSend(trx, next.send_id);
  if (!sendCan.undo(send)) throw invalidTransition(send.status, 'queued');
  if (changes.rrule !== undefined && (changes.rrule === null) !== (before.rrule === null))
    throw invalidInput('rrule', 'Unschedule the email to choose between once and repeatedly.');
  const time = await toFirstOccurrence(trx, {
    ...timesOf(before, changes),
    start_date: changes.start_date ?? next.scheduled_date,
    time_zone: changes.time_zone ?? before.time_zone,
    rrule: changes.rrule ?? recurrenceFrom(before, next.scheduled_date).rrule,
  });
  await requireFreeTime(trx, send, time.start_date, send.id);
  // Before the schedule: its row is locked after send and touchpoint everywhere.
  await moveSend(trx, send, time.start_date, await startOf(trx, time, time.start_date));
  await updateSchedule(trx, id, time);
  await notifyWorkers(trx);
}

/**
 * Cancels the sends of which no message has started, and deletes the schedule. Without it, a send that is being prepared would
 * not know when its messages start.
 * @throws 404
 */
export async function unschedule(trx: Transaction, id: string): Promise<void> {
  const { touchpoint_id } = await getSchedule(trx, id);
  const open = await lockOpenSends(trx, { scheduleId: id });
  await lockCurrent(trx, touchpoint_id);
  // First, so that no further occurrence is queued.
  await deleteSchedule(trx, id);
  for (const sendId of open) {
    const send = await lockSend(trx, sendId);
    if (sendCan.undo(send) || sendCan.prepare(send)) await cancelSend(trx, sendId);
  }
}
