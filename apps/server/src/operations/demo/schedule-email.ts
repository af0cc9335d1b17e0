import { proposeSend } from '../../delivery/sends/start-send.ts';
import { createSchedule } from '../../delivery/schedules/create-schedule.ts';
import { allTogether } from '../../delivery/schedules/send-times.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { PlacedEmail } from './compile-emails.ts';
import type { Place } from './make-records.ts';

/** Confirms an email for its date, as a member does. */
export async function scheduleEmail(
  trx: Transaction,
  { userId, setup }: Place,
  { touchpointId, at, rrule }: PlacedEmail,
): Promise<void> {
  const proposal = await proposeSend(
    { userId, transaction: (work) => work(trx) },
    touchpointId,
    'campaign',
    setup,
  );
  await createSchedule(trx, proposal, {
    time: { start_date: at.toISOString(), time_zone: 'Europe/Berlin', rrule: rrule ?? null, ...allTogether },
    userId,
    uncertainPolicy: undefined,
    expectedRecipients: undefined,
    expectedFilterId: undefined,
    sendsSampleContent: true,
    policies: setup.policies,
  });
}
