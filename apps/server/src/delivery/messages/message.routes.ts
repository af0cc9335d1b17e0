import type { Message } from '@reachout/contract/messages.ts';
import type { DeliveryState } from '@reachout/contract/statuses.ts';
import { backendAccessOf } from '../../contacts/audiences/find-contact.ts';
import { findMark, isMarkedElsewhere } from '../../contacts/audiences/unsubscribed-mark.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import { inTransaction, type OperationContext, operations } from '../../identity/access/operations.ts';
import type { MailSetup, ReviewedTouchpoint } from '../../outreach/channels/channel.ts';
import { findBrandOf } from '../../outreach/touchpoints/find-touchpoint.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { getMessage } from '../../queue/message.queries.ts';
import { readDeliveries } from '../sends/recipient-list.queries.ts';
import { proposeSend, requireSeen } from '../sends/start-send.ts';
import { checkMessage, createMessage } from './create-message.ts';
import { checkTest, findTestContact, sendTest } from './send-test.ts';

/** A single message with the state of its delivery. @throws 404 */
export async function readMessage(trx: Transaction, id: string): Promise<Message> {
  const { seq, ...message } = await getMessage(trx, id);
  const [delivery] = await readDeliveries(trx, message.send_id, [seq]);
  if (delivery === undefined) throw notFound();
  const { address, state, attempts, reply, error_content, error, next_attempt_at, at } = delivery;
  return {
    ...message,
    to: address ?? '',
    // `readDeliveries` returns delivery states only, never `excluded`.
    state: state as DeliveryState,
    attempts,
    reply,
    error_content,
    error,
    next_attempt_at,
    at,
  };
}

/** Routes for single messages. */
export const createMessageRoutes = ({ policies, content }: Pick<MailSetup, 'policies' | 'content'>) => ({
  create: operations.messages.create.handler(async ({ input, context }) => {
    const { touchpoint_id: touchpointId, to, data } = input;
    const { transaction, note, log } = context;
    const access = contactsOf(content, context);
    const mark = await access.run(async (trx) => {
      const brandId = await findBrandOf(trx, touchpointId);
      return brandId === undefined ? undefined : await findMark(trx, access.organizationId, brandId, to);
    });
    let isUnsubscribed = mark?.isMarked ?? false;
    if (mark?.elsewhere !== undefined) {
      // A repeated request gets its message, also while the Directus is away.
      const earlier = await context.findEarlier();
      if (earlier !== undefined) return earlier.response as Message;
      await transaction((trx) => checkMessage(trx, { touchpointId, to, policies }));
      isUnsubscribed = await isMarkedElsewhere(access, mark.elsewhere, to);
    }
    return await context.commit(async (trx) => {
      const request = { touchpointId, to, data, isUnsubscribed, policies, log, secrets: content.secrets };
      const { id, touchpoint } = await createMessage(trx, request);
      note({
        record_type: 'touchpoints',
        record_id: touchpointId,
        record_name: touchpoint.name,
        details: {},
      });
      return await readMessage(trx, id);
    });
  }),
  get: inTransaction(operations.messages.get, (trx, input) => readMessage(trx, input.id)),
});

/** Access to all contacts of the organization: like a send, a message asks also those that its sender cannot see. */
const contactsOf = (
  deps: MailSetup['content'],
  { db, userId, organizationId }: Pick<OperationContext, 'userId' | 'organizationId'> & { db: Database },
) => ({
  deps,
  organizationId,
  run: <T>(work: (trx: Transaction) => Promise<T>) =>
    limitedTransaction(db, { userId, organizationId }, work),
});

/** Looks up what a test needs of contacts, unless it may not be sent now. @throws 422; 424; 429 */
async function lookUp(
  deps: MailSetup['content'],
  context: OperationContext & { db: Database },
  { to, collectionItemId }: { to: string; collectionItemId?: string | undefined },
  proposal: ReviewedTouchpoint,
) {
  const access = contactsOf(deps, context);
  const { isMarked, elsewhere } = await access.run(async (trx) => {
    await checkTest(trx, { userId: context.userId, to }, new Date());
    return await findMark(trx, access.organizationId, proposal.touchpoint.brand_id, to);
  });
  const contact = await findTestContact(backendAccessOf(deps, context), proposal, collectionItemId);
  const isUnsubscribed = elsewhere === undefined ? isMarked : await isMarkedElsewhere(access, elsewhere, to);
  return { contact, isUnsubscribed };
}

export const createTestRoute = (setup: MailSetup) =>
  operations.emails.test.handler(async ({ input, context }) => {
    const earlier = await context.findEarlier();
    if (earlier !== undefined) return earlier.response as Message;
    const proposal = await proposeSend(context, input.id, 'test', setup);
    // A blocked email is rejected for any contact, so none is looked up.
    const { contact, isUnsubscribed } =
      proposal.message === undefined
        ? { contact: undefined, isUnsubscribed: false }
        : await lookUp(setup.content, context, input, proposal);
    return await context.commit(async (trx) => {
      requireSeen(proposal, input.expected_version);
      const request = { userId: context.userId, to: input.to, contact, isUnsubscribed };
      const id = await sendTest(trx, proposal, request, new Date());
      const { name, brand_name: brand } = proposal.touchpoint;
      context.note({
        record_type: 'touchpoints',
        record_id: input.id,
        record_name: name,
        details: { brand },
      });
      return await readMessage(trx, id);
    });
  });
