import { writeSignInEntries } from '../../access/audit.ts';
import type { RequestOrigin } from '../../access/caller.ts';
import { limitedTransaction } from '../../access/limited-transaction.ts';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { hasSecondFactor } from '../second-factor/second-factor.queries.ts';
import { deleteReplacedSession, deleteSession, deleteSurplusSessions } from '../sessions/sessions.queries.ts';
import { lockUser } from '../users/credentials.queries.ts';

/**
 * Ends the previous session of the same browser and surplus sessions, and adds the sign-in to the audit logs of the
 * person's organizations. Runs for every new session, however it was opened.
 * @param db  the pool of look-ups of who asks
 * @returns false when the person has a second factor since the sign-in began: the session has ended
 */
export async function recordSignIn(
  db: Database,
  session: {
    userId: string;
    id: string;
    /** Whether it goes on without being asked for a second factor. */
    isFactorProven: boolean;
    /** Of the session whose cookie came along. */
    replacedToken: string | undefined;
    /** How: `password`, `code`, `sign_up`, `link`, or the id of a provider. */
    method: string;
    origin: RequestOrigin;
  },
): Promise<boolean> {
  const { userId, id, isFactorProven, replacedToken, method, origin } = session;
  const write = async (trx: Transaction) => {
    // Whoever adds the first factor holds the same lock, and ends the sessions that are there.
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
