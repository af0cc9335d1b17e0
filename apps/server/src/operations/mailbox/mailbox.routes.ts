import { operations } from '../../identity/access/operations.ts';
import { hideTokens, withoutTokens } from './hide-tokens.ts';
import { findMessage, listMessages } from './mailbox.queries.ts';
import { toMessage } from './message-detail.ts';

export const mailboxRoutes = {
  list: operations.mailbox.list.handler(async ({ input, context }) => {
    const { organizationId, transaction, can } = context;
    const { items, count } = await transaction((trx) => listMessages(trx, organizationId, input));
    if (can('send', 'Touchpoint')) return { items, count };
    return { items: items.map((item) => ({ ...item, sender: hideTokens(item.sender) })), count };
  }),

  get: operations.mailbox.get.handler(async ({ input, context }) => {
    const { organizationId, transaction, can } = context;
    const message = await toMessage(await transaction((trx) => findMessage(trx, organizationId, input.id)));
    return can('send', 'Touchpoint') ? message : withoutTokens(message);
  }),
};
