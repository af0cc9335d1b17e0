import { operations } from '../../access/operations.ts';
import { invalidInput, notSignedIn } from '../../../platform/http/api-error.ts';
import { transactionAs, type Transaction } from '../../../platform/database/database.ts';
import { rateLimitPrefixOf } from '../../../platform/rate-limits/rate-limits.ts';
import { enqueueAccountEmail } from '../../account-email/enqueue-account-email.ts';
import { requestByEmail, countEmail } from '../one-time-tokens/request-by-email.ts';
import { findCredentials } from '../users/credentials.queries.ts';
import { hasPassword, verifyCurrentPassword } from '../passwords/check-password.ts';
import { languageOf } from '../emails/email-language.ts';
import { noticeForMs } from '../one-time-tokens/one-time-token.ts';
import { revokeTokens } from '../one-time-tokens/one-time-tokens.queries.ts';
import type { SignInDeps } from '../sign-in-deps.ts';

/** Nothing changes until the new address is confirmed (change-email.ts); the current one is notified at once. */
export const createEmailRoutes = ({
  db,
  limits,
  passwords,
  secrets,
}: Pick<SignInDeps, 'db' | 'limits' | 'passwords' | 'secrets'>) => ({
  changeEmail: operations.me.changeEmail.handler(async ({ input, context }) => {
    const { userId, origin } = context;
    const asUser = <T>(work: (trx: Transaction) => Promise<T>) => transactionAs(db, { userId }, work);
    const ipPrefix = rateLimitPrefixOf(origin.ipAddress ?? '');
    const user = await asUser((trx) => findCredentials(trx, userId));
    // The user was removed after the session look-up.
    if (user === undefined) throw notSignedIn();
    const email = input.email.toLowerCase();
    if (email === user.email) throw invalidInput('email', 'This is your address already.');
    if (hasPassword(user)) {
      const { current_plain_password: current } = input;
      if (current === undefined) throw invalidInput('current_plain_password', 'Enter your current password.');
      await verifyCurrentPassword({ limits, passwords }, user, current, ipPrefix);
    }
    const notice = ['mails_to_address', `email_change_asked ${user.email}`] as const;
    await countEmail(limits, ipPrefix, 'change_email', email, notice);
    await asUser(async (trx) => {
      // Only the latest change stays valid.
      await revokeTokens(trx, ['change_email'], { userId });
      const language = languageOf(user.language);
      await requestByEmail(trx, secrets, { purpose: 'change_email', email, language, userId });
      await enqueueAccountEmail(trx, {
        kind: 'email_change_asked',
        recipient: user.email,
        language,
        payload: { user_id: userId },
        validForMs: noticeForMs,
      });
    });
    return { email };
  }),
});
