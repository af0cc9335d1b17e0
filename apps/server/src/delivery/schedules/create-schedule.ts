import { findFirstOccurrence, type Recurrence } from '@reachout/contract/rules/recurrence.ts';
import { describeRuleProblem } from '@reachout/contract/rules/rrule.ts';
import type { ReviewedTouchpoint } from '../../outreach/channels/channel.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import { newId } from '../../platform/ids.ts';
import { startSend, type Confirmation } from '../sends/start-send.ts';
import { compareWithNow, insertSchedule, type ScheduleTime } from './schedule.queries.ts';
import { checkTimes, startOf } from './send-times.ts';

/**
 * Confirms an email for a date, or repeatedly. Its content and audience rule are fixed now; the send of the first occurrence
 * is queued.
 * @returns the id of the schedule
 * @throws like `startSend`; 422 `invalid_input` for a time that has passed or a rule without occurrences
 */
export async function createSchedule(
  trx: Transaction,
  proposal: ReviewedTouchpoint,
  { time, ...confirmation }: Confirmation & { time: ScheduleTime },
): Promise<string> {
  const from = await toFirstOccurrence(trx, time);
  return await insertWithSend(trx, proposal, { from, inSeries: from.rrule !== null, ...confirmation });
}

/** @param from  begins with its first occurrence */
export async function insertWithSend(
  trx: Transaction,
  proposal: ReviewedTouchpoint,
  {
    from,
    inSeries,
    slots = null,
    isKnownCurrent = false,
    ...confirmation
  }: Confirmation & {
    from: ScheduleTime;
    inSeries: boolean;
    slots?: Recurrence | null;
    isKnownCurrent?: boolean;
  },
): Promise<string> {
  const { touchpoint } = proposal;
  const id = newId();
  const item_id = proposal.message?.itemId;
  await insertSchedule(trx, {
    ...from,
    id,
    organization_id: touchpoint.organization_id,
    touchpoint_id: touchpoint.id,
    brand_id: touchpoint.brand_id,
    schedule_content: item_id ? { item_id } : {},
    slots,
  });
  await startSend(trx, proposal, {
    ...confirmation,
    kind: 'campaign',
    start: {
      scheduleId: id,
      at: from.start_date,
      startAt: await startOf(trx, from, from.start_date),
      inSeries,
    },
    isKnownCurrent,
  });
  return id;
}

/** Plans further ahead would outlive what they are about. */
const maxYearsAhead = 2;

/** @returns the time, beginning with the first occurrence of its rule. @throws 422 `invalid_input` */
export async function toFirstOccurrence(trx: Transaction, time: ScheduleTime): Promise<ScheduleTime> {
  const { isPast, isFar } = await compareWithNow(trx, time.start_date, maxYearsAhead);
  if (isPast) throw invalidInput('start_date', 'This time has passed. Choose a later one.');
  if (isFar) throw invalidInput('start_date', `Choose a time within the next ${maxYearsAhead} years.`);
  checkTimes(time);
  const first = findFirstOccurrence(time);
  if (typeof first !== 'string') throw invalidInput('rrule', describeRuleProblem(first));
  return { ...time, start_date: first };
}
