import type { Schedule } from '@reachout/contract/schedules.ts';
import type { SendConfirmation } from '@reachout/contract/sends.ts';
import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import type { MailSetup, ReviewedTouchpoint } from '../../outreach/channels/channel.ts';
import { requireCampaign } from '../../outreach/campaigns/campaigns.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { requireItems } from '../../outreach/channels/email/check-items.ts';
import { requireTouchpoint } from '../../outreach/touchpoints/find-touchpoint.ts';
import { proposeSend, requireSeen, type Confirmation } from '../sends/start-send.ts';
import { listCalendar } from './calendar.ts';
import { compareWithConfirmed, confirmAgain, proposeAgain } from './confirm-again.ts';
import { moveSchedule, unschedule } from './change-schedule.ts';
import { listFreeTimes, listQueue, queueItems } from './item-queue.ts';
import { createSchedule } from './create-schedule.ts';
import { pauseAll, resumeAll } from './pause-all.ts';
import { previewSchedule } from './preview-schedule.ts';
import { getSchedule, listSchedules } from './schedule.queries.ts';
import { allTogether, timesOf } from './send-times.ts';

// oxlint-disable-next-line max-lines-per-function -- a flat list: one operation after the other
export const createScheduleRoutes = (setup: MailSetup) => ({
  create: operations.schedules.create.handler(async ({ input, context }) => {
    const proposal = await proposeSend(context, input.id, 'campaign', setup);
    return await context.commit(async (trx) => {
      requireSeen(proposal, input.expected_version);
      const { start_date, time_zone, rrule } = input;
      const id = await createSchedule(trx, proposal, {
        time: { start_date, time_zone, rrule, ...timesOf(input) },
        ...toConfirmation(input, context.userId, setup),
        uncertainPolicy: input.uncertain_policy,
      });
      const schedule = await getSchedule(trx, id);
      const recipients = proposal.review.audience_breakdown?.will_receive;
      return await noteSchedule(trx, context, schedule, { recipients, ...timeOf(schedule) });
    });
  }),
  queueItems: operations.schedules.queueItems.handler(async ({ input, context }) => {
    const { id, item_ids, start_date, time_zone, rrule, expected_version } = input;
    const keys = [...new Set(item_ids)];
    await requireItems(context, id, keys, setup);
    const proposals: ReviewedTouchpoint[] = [];
    for (const itemId of keys) proposals.push(await proposeSend(context, id, 'campaign', setup, itemId));
    // The review that was shown has the item of the email.
    const seen =
      expected_version === undefined ? undefined : await proposeSend(context, id, 'campaign', setup);
    return await context.commit(async (trx) => {
      requireSeen(seen, expected_version);
      await queueItems(trx, proposals, {
        time: { start_date, time_zone, rrule, ...allTogether },
        ...toConfirmation(input, context.userId, setup),
        uncertainPolicy: input.uncertain_policy,
      });
      const { name, brand_name } = await requireTouchpoint(trx, id);
      context.note({
        record_type: 'touchpoints',
        record_id: id,
        record_name: name,
        details: { brand: brand_name, items: proposals.length },
      });
      return await listQueue(trx, id);
    });
  }),
  freeTimes: inTransaction(operations.schedules.freeTimes, async (trx, { id, rrule = null, ...time }) => {
    await requireTouchpoint(trx, id);
    return await listFreeTimes(trx, id, { ...time, rrule, ...allTogether });
  }),
  listItems: inTransaction(operations.schedules.listItems, async (trx, { id, ...page }) => {
    await requireTouchpoint(trx, id);
    return await listQueue(trx, id, page);
  }),
  preview: operations.schedules.preview.handler(
    async ({ input: { id, ...time }, context }) =>
      await previewSchedule(context, id, { ...time, rrule: null }, setup),
  ),
  listOfTouchpoint: inTransaction(operations.schedules.listOfTouchpoint, async (trx, { id }) => {
    await requireTouchpoint(trx, id);
    return await listSchedules(trx, id);
  }),
  changes: operations.schedules.changes.handler(
    async ({ input, context }) => await compareWithConfirmed(context, input.id, setup),
  ),
  confirm: operations.schedules.confirm.handler(async ({ input, context }) => {
    const { id, expected_version } = input;
    const proposals = await proposeAgain(context, id, setup);
    const seen =
      expected_version === undefined
        ? undefined
        : (proposals.get(undefined) ?? (await proposeSend(context, id, 'campaign', setup)));
    return await context.commit(async (trx) => {
      requireSeen(seen, expected_version);
      const sends = await confirmAgain(trx, proposals, {
        ...toConfirmation(input, context.userId, setup),
        expectedContentHash: input.expected_content_hash,
      });
      const { name, brand_name } = await requireTouchpoint(trx, id);
      context.note({ record_name: name, details: { brand: brand_name, sends } });
      return { id, sends };
    });
  }),
  update: inTransaction(operations.schedules.update, async (trx, { id, ...changes }, context) => {
    await moveSchedule(trx, id, changes);
    const schedule = await getSchedule(trx, id);
    return await noteSchedule(trx, context, schedule, timeOf(schedule));
  }),
  delete: inTransaction(operations.schedules.delete, async (trx, { id }, context) => {
    await noteSchedule(trx, context, await getSchedule(trx, id));
    await unschedule(trx, id);
    return { id };
  }),
  occurrences: inTransaction(
    operations.schedules.occurrences,
    (trx, { organization_id: _organization, ...query }) => listCalendar(trx, query),
  ),
  pauseCampaign: inTransaction(operations.schedules.pauseCampaign, async (trx, { id }, context) => {
    const { name } = await requireCampaign(trx, id);
    context.note({ record_name: name });
    return { id, paused: await pauseAll(trx, { campaignId: id }) };
  }),
  resumeCampaign: inTransaction(operations.schedules.resumeCampaign, async (trx, { id }, context) => {
    const { name } = await requireCampaign(trx, id);
    context.note({ record_name: name });
    return { id, ...(await resumeAll(trx, { campaignId: id })) };
  }),
  pauseTouchpoint: inTransaction(operations.schedules.pauseTouchpoint, async (trx, { id }, context) => {
    const { name } = await requireTouchpoint(trx, id);
    context.note({ record_name: name });
    return { id, paused: await pauseAll(trx, { touchpointId: id }) };
  }),
  resumeTouchpoint: inTransaction(operations.schedules.resumeTouchpoint, async (trx, { id }, context) => {
    const { name } = await requireTouchpoint(trx, id);
    context.note({ record_name: name });
    return { id, ...(await resumeAll(trx, { touchpointId: id })) };
  }),
});

const toConfirmation = (
  input: Omit<SendConfirmation, 'uncertain_policy'>,
  userId: string,
  { policies }: MailSetup,
): Omit<Confirmation, 'uncertainPolicy'> => ({
  userId,
  expectedRecipients: input.expected_recipients,
  expectedFilterId: input.expected_filter_id,
  sendsSampleContent: input.sends_sample_content,
  policies,
});

const timeOf = ({ start_date, time_zone, rrule }: Schedule) => ({
  start_date,
  time_zone,
  ...(rrule === null ? {} : { rrule }),
});

/** The audit log names the email of a schedule, so that all entries about an email are found together. */
async function noteSchedule(
  trx: Transaction,
  { note }: Pick<OperationContext, 'note'>,
  schedule: Schedule,
  details: Record<string, unknown> = {},
): Promise<Schedule> {
  const { id, name, brand_name } = await requireTouchpoint(trx, schedule.touchpoint_id);
  note({
    record_type: 'touchpoints',
    record_id: id,
    record_name: name,
    details: { ...details, brand: brand_name },
  });
  return schedule;
}
