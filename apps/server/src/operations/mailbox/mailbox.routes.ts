import { inTransaction, operations } from '../../identity/access/operations.ts';
import { findMessage, listMessages } from './mailbox.queries.ts';
import { toMessage } from './message-detail.ts';

export const mailboxRoutes = {
  list: inTransaction(operations.mailbox.list, (trx, input, { organizationId }) =>
    listMessages(trx, organizationId, input),
  ),

  get: operations.mailbox.get.handler(async ({ input, context }) => {
    const { organizationId, transaction } = context;
    return await toMessage(await transaction((trx) => findMessage(trx, organizationId, input.id)));
  }),
};
