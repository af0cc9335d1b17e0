import { writeSignInEntries } from '../../access/audit.ts';
import type { RequestOrigin } from '../../access/caller.ts';
import { limitedTransaction } from '../../access/limited-transaction.ts';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { deleteReplacedSession, deleteSurplusSessions } from '../sessions/sessions.queries.ts';

/**
 * Ends the previous session of the same browser and surplus sessions, and adds the sign-in to the audit logs of the
 * person's organizations. Runs for every new session, however it was opened.
 * @param db  the pool of look-ups of who asks
 */
export async function recordSignIn(
  db: Database,
  session: {
    userId: string;
    id: string;
    /** Of the session whose cookie came along. */
    replacedToken: string | undefined;
    /** How: `password`, `code`, `sign_up`, `link`, or the id of a provider. */
    method: string;
    origin: RequestOrigin;
  },
): Promise<void> {
  const { userId, id, replacedToken, method, origin } = session;
  const write = async (trx: Transaction) => {
    if (replacedToken !== undefined)
      await deleteReplacedSession(trx, { userId, token: replacedToken, byId: id });
    await deleteSurplusSessions(trx, userId);
    await writeSignInEntries(trx, { sessionId: id, method, origin });
  };
  await limitedTransaction(db, { userId }, write, 'access');
}
