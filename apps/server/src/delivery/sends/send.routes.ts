import type { Send } from '@reachout/contract/sends.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import type { SenderPolicies } from '../../email/transports/sender-policy.ts';
import { inTransaction, type OperationContext, operations } from '../../identity/access/operations.ts';
import { refusal } from '../../ledger/allowance.ts';
import { reserve } from '../../ledger/allowances.ts';
import type { MailSetup } from '../../outreach/channels/channel.ts';
import { requireTouchpoint } from '../../outreach/touchpoints/find-touchpoint.ts';
import { holdForSend } from '../../outreach/touchpoints/touchpoint-status.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { notifyWorkers } from '../../platform/database/notify.ts';
import { apiError } from '../../platform/http/api-error.ts';
import { newId } from '../../platform/ids.ts';
import { insertFollowUp, isFollowedUp } from '../../queue/insert-send.queries.ts';
import { getSender, lockSend } from '../../queue/send.queries.ts';
import { cancelSend, decideUncertain, pauseSend, resumeSend } from './change-send.ts';
import { readReceipt } from './receipt.ts';
import { findContactCollection } from './recipient-list.queries.ts';
import { listRecipients, requireReactions } from './recipient-list.ts';
import { getSend, listRecentSends, listSendsOfTouchpoint } from './send-list.queries.ts';
import { createPaces } from './send-pace.ts';
import { type SendRow, toSend, undoMs } from './send.ts';
import { proposeSend, requireSeen, startSend } from './start-send.ts';
import { watchSend } from './watch-send.ts';

export function createSendRoutes(setup: MailSetup) {
  const paces = createPaces();
  const present = (row: SendRow): Send => {
    const send = toSend(row);
    return { ...send, pace: paces.look(send) };
  };
  return routes(setup, present, async (trx, id) => present(await getSend(trx, id)));
}

const routes = (
  setup: MailSetup,
  present: (row: SendRow) => Send,
  response: (trx: Transaction, id: string) => Promise<Send>,
) => ({
  start: operations.sends.start.handler(async ({ input, context }) => {
    const proposal = await proposeSend(context, input.id, input.kind, setup);
    return await context.commit(async (trx) => {
      requireSeen(proposal, input.expected_version);
      const id = await startSend(trx, proposal, {
        kind: input.kind,
        userId: context.userId,
        start: input.immediately ? 'immediately' : 'soon',
        uncertainPolicy: input.uncertain_policy,
        expectedRecipients: input.expected_recipients,
        expectedFilterId: input.expected_filter_id,
        sendsSampleContent: input.sends_sample_content,
        policies: setup.policies,
      });
      const recipients = proposal.review.audience_breakdown?.will_receive;
      const details = input.kind === 'triggered' ? { kind: input.kind } : { recipients };
      return noteSend(context, await response(trx, id), details);
    });
  }),
  listOfTouchpoint: inTransaction(operations.sends.listOfTouchpoint, async (trx, { id, ...page }) => {
    await requireTouchpoint(trx, id);
    const { items, count } = await listSendsOfTouchpoint(trx, id, page);
    return { items: items.map(present), count };
  }),
  recent: inTransaction(operations.sends.recent, async (trx, input) =>
    (await listRecentSends(trx, input.client_id)).map(present),
  ),
  get: inTransaction(operations.sends.get, (trx, input) => response(trx, input.id)),
  receipt: operations.sends.receipt.handler(({ input, context }) => readReceipt(input.id, context)),
  progress: operations.sends.progress.handler(async ({ input, context, signal }) => {
    const read = () => context.transaction((trx) => response(trx, input.id));
    // The first read comes before the stream, so that a send that the caller may not read is an error response.
    await read();
    return watchSend({ userId: context.userId, read, confirm: context.confirm }, signal);
  }),
  deliveries: inTransaction(operations.sends.deliveries, async (trx, { id, ...filter }, context) => {
    requireReactions(context, filter);
    return {
      ...(await listRecipients(trx, toSend(await getSend(trx, id)), filter)),
      collection: await findContactCollection(trx, id),
    };
  }),
  pause: inTransaction(operations.sends.pause, async (trx, input, context) => {
    await pauseSend(trx, input.id);
    return noteSend(context, await response(trx, input.id));
  }),
  resume: inTransaction(operations.sends.resume, async (trx, input, context) => {
    await resumeSend(trx, input.id);
    return noteSend(context, await response(trx, input.id));
  }),
  cancel: inTransaction(operations.sends.cancel, async (trx, input, context) => {
    await cancelSend(trx, input.id);
    return noteSend(context, await response(trx, input.id));
  }),
  followUp: inTransaction(operations.sends.followUp, async (trx, { id, immediately }, context) => {
    const { userId } = context;
    const started = await startFollowUp(trx, id, { userId, immediately, policies: setup.policies });
    const send = await response(trx, started);
    return noteSend(context, send, { recipients: send.recipients_total_count });
  }),
  resolveUncertain: inTransaction(operations.sends.resolveUncertain, async (trx, input, context) => {
    await decideUncertain(trx, input.id, input.decision);
    return noteSend(context, await response(trx, input.id), { decision: input.decision });
  }),
});

/** The audit log names the email of a send, so that all entries about an email are found together. */
function noteSend(
  { note }: Pick<OperationContext, 'note'>,
  send: Send,
  details: Record<string, unknown> = {},
): Send {
  const { touchpoint, brand, id: send_id } = send;
  note({
    record_type: 'touchpoints',
    record_id: touchpoint.id,
    record_name: touchpoint.name,
    details: { ...details, brand: brand.name, send_id },
  });
  return send;
}

/**
 * Sends the same content again, once, but only to contacts whose delivery failed, as new messages in a separate send.
 * Contacts that are deleted, unsubscribed or suppressed by then, or have another address, get none.
 * @returns the id of the send
 * @throws 404; 409 `nothing_to_follow_up`, `invalid_transition`, `campaign_archived`; 429 `daily_limit_reached`
 */
export async function startFollowUp(
  trx: Transaction,
  parentId: string,
  { userId, immediately, policies }: { userId: string; immediately: boolean; policies: SenderPolicies },
): Promise<string> {
  const parent = await lockSend(trx, parentId);
  await holdForSend(trx, parent.touchpoint_id);
  const id = newId();
  const delayMs = immediately ? 0 : undoMs;
  const recipients =
    sendCan.followUp(parent) && !(await isFollowedUp(trx, parentId))
      ? await insertFollowUp(trx, { id, parent_send_id: parentId, delayMs, user_created: userId })
      : 0;
  if (recipients === 0) throw apiError('nothing_to_follow_up');
  const organizationId = parent.organization_id;
  const { brand_id: brandId } = await getSender(trx, parentId);
  const scope = { organizationId, brandId, campaignId: undefined };
  const shortage = await reserve(trx, { organizationId, userId }, await policies.of(trx, scope));
  if (shortage !== undefined) throw refusal(shortage, recipients);
  await notifyWorkers(trx);
  return id;
}
