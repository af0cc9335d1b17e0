import { operations } from '../../access/operations.ts';
import { invalidInput, notSignedIn } from '../../../platform/http/api-error.ts';
import type { RateLimits } from '../../access/rate-limits.ts';
import { rateLimitPrefixOf } from '../../../platform/rate-limits/rate-limits.ts';
import { findCredentials } from '../users/credentials.queries.ts';
import { hasPassword, verifyCurrentPassword } from './current-password.ts';
import { languageOf } from '../emails/email-language.ts';
import { hashPasswordLimited } from './password-hash.ts';
import { findPasswordProblem } from './password-rules.ts';
import { replacePassword } from './replace-password.ts';

/** Passwords are hashed between two short transactions: that takes longer than both. */
export const createPasswordRoutes = ({ limits }: { limits: RateLimits }) => ({
  updateUserPassword: operations.rpc.updateUserPassword.handler(async ({ input, context }) => {
    const { userId, sessionId, origin, transaction } = context;
    const ipPrefix = rateLimitPrefixOf(origin.ipAddress ?? '');
    const user = await transaction((trx) => findCredentials(trx, userId));
    // Removed since the session was looked up.
    if (user === undefined) throw notSignedIn();
    const { current_plain_password: current, new_plain_password: next } = input;
    if (!hasPassword(user)) {
      const message = 'You have no password yet. Have a link sent to you that sets one.';
      throw invalidInput('current_plain_password', message);
    }
    await verifyCurrentPassword(limits, user, current, ipPrefix);
    const problem = await findPasswordProblem(next, { name: user.full_name, email: user.email });
    if (problem !== undefined) throw invalidInput('new_plain_password', problem);
    const hash = await hashPasswordLimited(ipPrefix, next);
    const language = languageOf(user.language);
    const ended = await transaction((trx) =>
      replacePassword(trx, user, { hash, language, keptSessionId: sessionId }),
    );
    return { ended };
  }),
});
