import { writeSignInEntries } from '../../access/audit.ts';
import type { RequestOrigin } from '../../access/caller.ts';
import { limitedTransaction } from '../../access/limited-transaction.ts';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { hasSecondFactor } from '../second-factor/second-factor.queries.ts';
import { deleteReplacedSession, deleteSession, deleteSurplusSessions } from '../sessions/sessions.queries.ts';
import { lockUser } from '../users/credentials.queries.ts';

/**
 * Ends the previous session of the same browser and surplus sessions, and adds the sign-in to the audit logs of the
 * user's organizations. Runs for every new session, however it was opened.
 * @param db  the pool for caller look-ups
 * @returns false if the user got a second factor since the sign-in began: the session has ended
 */
export async function recordSignIn(
  db: Database,
  session: {
    userId: string;
    id: string;
    /** Whether the session needs no further proof of a second factor. */
    isFactorProven: boolean;
    /** Token of the session whose cookie was sent with the request. */
    replacedToken: string | undefined;
    /** Sign-in method: `password`, `code`, `sign_up`, `link`, or the id of a provider. */
    method: string;
    origin: RequestOrigin;
  },
): Promise<boolean> {
  const { userId, id, isFactorProven, replacedToken, method, origin } = session;
  const write = async (trx: Transaction) => {
    // A request that adds the first factor takes the same lock, and ends the existing sessions.
    await lockUser(trx, userId);
    if (!isFactorProven && (await hasSecondFactor(trx, userId))) {
      await deleteSession(trx, userId, id);
      return false;
    }
    if (replacedToken !== undefined)
      await deleteReplacedSession(trx, { userId, token: replacedToken, byId: id });
    await deleteSurplusSessions(trx, userId);
    await writeSignInEntries(trx, { sessionId: id, method, origin });
    return true;
  };
  return await limitedTransaction(db, { userId }, write, 'access');
}
