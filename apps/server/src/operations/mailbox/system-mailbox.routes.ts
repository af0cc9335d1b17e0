import { operations } from '../../identity/access/operations.ts';
import { transactionAs, type Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { toMessage } from './message-detail.ts';
import { findSystemMessage, listSystemMessages } from './system-mailbox.queries.ts';

const requireKey = ({ hasMailboxKey }: { hasMailboxKey: boolean }): void => {
  if (!hasMailboxKey) throw notFound();
};

/**
 * The platform's own emails, including codes and links, for a user who tries the product on this machine without a mail
 * server and cannot receive them otherwise.
 */
export const createSystemMailboxRoutes = ({ authDb }: { authDb: Database }) => ({
  list: operations.systemMailbox.list.handler(async ({ input, context }) => {
    requireKey(context);
    return await transactionAs(authDb, {}, (trx) => listSystemMessages(trx, input));
  }),

  get: operations.systemMailbox.get.handler(async ({ input, context }) => {
    requireKey(context);
    return await toMessage(await transactionAs(authDb, {}, (trx) => findSystemMessage(trx, input.id)));
  }),
});
