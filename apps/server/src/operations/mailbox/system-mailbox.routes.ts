import { operations } from '../../identity/access/operations.ts';
import { transactionAs, type Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { toMessage } from './message-detail.ts';
import { findSystemMessage, listSystemMessages } from './system-mailbox.queries.ts';

/**
 * The platform's own mail, codes and links included, for the one person who cannot get it otherwise: anyone who tries
 * the product on this machine, with nothing that delivers.
 * @param delivers true when a mail server is set: then all of it has left, and there is no such page
 */
export function createSystemMailboxRoutes({ authDb, delivers }: { authDb: Database; delivers: boolean }) {
  const requireLocal = ({ isLocal }: { isLocal: boolean }): void => {
    if (delivers || !isLocal) throw notFound();
  };
  return {
    list: operations.systemMailbox.list.handler(async ({ input, context }) => {
      requireLocal(context);
      return await transactionAs(authDb, {}, (trx) => listSystemMessages(trx, input));
    }),

    get: operations.systemMailbox.get.handler(async ({ input, context }) => {
      requireLocal(context);
      return await toMessage(await transactionAs(authDb, {}, (trx) => findSystemMessage(trx, input.id)));
    }),
  };
}
