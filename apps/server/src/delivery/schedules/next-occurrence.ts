import { findLatestOccurrence, findNextOccurrence } from '@reachout/contract/rules/recurrence.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { lockTouchpoints } from '../../outreach/touchpoints/touchpoint-status.ts';
import { newId } from '../../platform/ids.ts';
import type { LockedSend } from '../../queue/send.queries.ts';
import { insertNextSend, listPlannedTimes } from '../../queue/planned-sends.queries.ts';
import { followSends, getScheduleTime } from './schedule.queries.ts';
import { startOf } from './send-times.ts';

/**
 * Queues the occurrence after one that starts or is skipped. Occurrences that have passed meanwhile are left out, and those
 * for which another schedule of the email has a send. Does nothing for the last one, if the schedule was deleted, and if the
 * next one is queued: a send that is stopped while it is prepared starts twice.
 */
export async function queueNextOccurrence(trx: Transaction, send: LockedSend): Promise<void> {
  const { schedule_id: scheduleId, occurrence_at: occurrence } = send;
  if (!send.in_series || scheduleId === null || occurrence === null) return;
  const { now, ...time } = await getScheduleTime(trx, scheduleId);
  if (time.rrule === null) return;
  // Before the schedule.
  await lockTouchpoints(trx, [send.touchpoint_id]);
  const taken = await listPlannedTimes(trx, send);
  const at = findNextOccurrence(time, occurrence > now ? occurrence : now, taken);
  if (at === undefined) return;
  await insertNextSend(trx, send.id, { id: newId(), at, startAt: await startOf(trx, time, at) });
  await followSends(trx, scheduleId);
}

/** @returns the latest occurrence that has passed, for a send that is late; undefined if that is its own */
export async function findLatestMissed(trx: Transaction, send: LockedSend): Promise<string | undefined> {
  const { schedule_id: scheduleId, occurrence_at: occurrence } = send;
  if (scheduleId === null || occurrence === null) return undefined;
  const { now, ...time } = await getScheduleTime(trx, scheduleId);
  const taken = await listPlannedTimes(trx, send);
  const missed = findLatestOccurrence(time, now, taken);
  return missed !== undefined && missed > occurrence ? missed : undefined;
}
