import { operations } from '../../identity/access/operations.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { findMessage, listMessages } from './mailbox.queries.ts';
import { parseMessage } from './message-detail.ts';

export const mailboxRoutes = {
  list: operations.mailbox.list.handler(async ({ input, context }) => {
    const { organizationId, transaction } = context;
    const filter = { organizationId, search: input.search, sendId: input.send_id };
    return await transaction((trx) => listMessages(trx, filter, input));
  }),

  get: operations.mailbox.get.handler(async ({ input, context }) => {
    const { organizationId, transaction } = context;
    const message = await transaction((trx) => findMessage(trx, organizationId, input.id));
    if (message === undefined) throw notFound();
    const { raw, ...row } = message;
    return { ...row, size_bytes: raw.length, ...(await parseMessage(raw)) };
  }),
};
