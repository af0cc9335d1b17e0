import type { Message } from '@reachout/contract/messages.ts';
import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import { backendAccessOf } from '../../content/audiences/find-contact.ts';
import { isMarkedUnsubscribed } from '../../content/audiences/unsubscribed-mark.ts';
import type { MailSetup } from '../../outreach/channels/channel.ts';
import { requireTouchpoint } from '../../outreach/touchpoints/find-touchpoint.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { proposeSend } from '../sends/start-send.ts';
import { createMessage } from './create-message.ts';
import { readMessage } from './message.ts';
import { findTestContact, sendTest } from './send-test.ts';

/** Routes for single messages. */
export const createMessageRoutes = ({ policies, content }: Pick<MailSetup, 'policies' | 'content'>) => ({
  create: operations.messages.create.handler(async ({ input, context }) => {
    const { touchpoint_id: touchpointId, to, data } = input;
    const { transaction, note, log } = context;
    // A repeated request gets its message, also while the Directus is away.
    const earlier = await context.findEarlier();
    if (earlier !== undefined) return earlier.response as Message;
    const { brand_id: brandId } = await transaction((trx) => requireTouchpoint(trx, touchpointId));
    const isUnsubscribed = await isMarkedUnsubscribed(contactsOf(content, context), brandId, to);
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

export const createTestRoute = (setup: MailSetup) =>
  operations.emails.test.handler(async ({ input, context }) => {
    const proposal = await proposeSend(context, input.id, 'test', setup);
    const { to, collectionItemId: contactId } = input;
    // A blocked email is rejected for any contact, so none is looked up.
    const contact =
      proposal.message &&
      (await findTestContact(backendAccessOf(setup.content, context), proposal, contactId));
    const { brand_id: brandId } = proposal.touchpoint;
    const isUnsubscribed =
      proposal.message !== undefined &&
      (await isMarkedUnsubscribed(contactsOf(setup.content, context), brandId, to));
    return await context.commit(async (trx) => {
      const request = { userId: context.userId, to, contact, isUnsubscribed };
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
