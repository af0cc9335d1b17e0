import { inTransaction, operations } from '../../identity/access/operations.ts';
import { backendAccessOf } from '../../content/audiences/find-contact.ts';
import type { MailSetup } from '../../outreach/channels/channel.ts';
import { proposeSend } from '../sends/start-send.ts';
import { createMessage } from './create-message.ts';
import { readMessage } from './message.ts';
import { findTestContact, sendTest } from './send-test.ts';

/** Routes for single messages. */
export const createMessageRoutes = ({
  policies,
  content: { secrets },
}: Pick<MailSetup, 'policies' | 'content'>) => ({
  create: operations.messages.create.handler(
    async ({ input: { touchpoint_id: touchpointId, to, data }, context: { transaction, note, log } }) =>
      await transaction(async (trx) => {
        const { id, touchpoint } = await createMessage(trx, {
          touchpointId,
          to,
          data,
          policies,
          log,
          secrets,
        });
        note({
          record_type: 'touchpoints',
          record_id: touchpointId,
          record_name: touchpoint.name,
          details: {},
        });
        return await readMessage(trx, id);
      }),
  ),
  get: inTransaction(operations.messages.get, (trx, input) => readMessage(trx, input.id)),
});

export const createTestRoute = (setup: MailSetup) =>
  operations.emails.test.handler(async ({ input, context }) => {
    const proposal = await proposeSend(context, input.id, 'test', setup);
    const { to, collectionItemId: contactId } = input;
    // A blocked email is rejected for any contact, so none is looked up.
    const contact =
      proposal.message &&
      (await findTestContact(backendAccessOf(setup.content, context), proposal, contactId));
    return await context.commit(async (trx) => {
      const request = { userId: context.userId, to, contact };
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
