import { operations } from '../../access/operations.ts';
import { invalidInput, notSignedIn } from '../../../platform/http/api-error.ts';
import { transactionAs, type Transaction } from '../../../platform/database/database.ts';
import { rateLimitPrefixOf } from '../../../platform/rate-limits/rate-limits.ts';
import { findCredentials, lockUser } from '../users/credentials.queries.ts';
import { hasPassword, verifyCurrentPassword } from './check-password.ts';
import { languageOf } from '../emails/email-language.ts';
import { findPasswordProblem } from './password-rules.ts';
import { replacePassword } from './reset-password.ts';
import type { SignInDeps } from '../sign-in-deps.ts';

/** Passwords are hashed between two short transactions, since hashing takes longer than both. */
export const createPasswordRoutes = (deps: Pick<SignInDeps, 'db' | 'limits' | 'passwords'>) => ({
  updateUserPassword: operations.rpc.updateUserPassword.handler(async ({ input, context }) => {
    const { userId, sessionId, origin } = context;
    const asUser = <T>(work: (trx: Transaction) => Promise<T>) => transactionAs(deps.db, { userId }, work);
    const ipPrefix = rateLimitPrefixOf(origin.ipAddress ?? '');
    const user = await asUser((trx) => findCredentials(trx, userId));
    // The user was removed after the session look-up.
    if (user === undefined) throw notSignedIn();
    const { current_plain_password: current, new_plain_password: next } = input;
    if (!hasPassword(user)) {
      const message = 'You have no password yet. Have a link sent to you that sets one.';
      throw invalidInput('current_plain_password', message);
    }
    await verifyCurrentPassword(deps, user, current, ipPrefix);
    const problem = await findPasswordProblem(next, { name: user.full_name, email: user.email });
    if (problem !== undefined) throw invalidInput('new_plain_password', problem);
    const hash = await deps.passwords.hash(ipPrefix, next);
    const language = languageOf(user.language);
    const ended = await asUser(async (trx) => {
      // The user may have been removed during hashing.
      if (!(await lockUser(trx, userId))) throw notSignedIn();
      return await replacePassword(trx, user, { hash, language, keptSessionId: sessionId });
    });
    return { ended };
  }),
});
