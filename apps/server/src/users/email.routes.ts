import { call } from '../access/calls.ts';
import { invalidInput, notSignedIn } from '../platform/call-error.ts';
import { networkOf, type RateLimits } from '../platform/rate-limits.ts';
import type { Secrets } from '../platform/secrets.ts';
import { askByMail, countMail } from './ask-by-mail.ts';
import { findCredentials } from './credentials.queries.ts';
import { languageOf } from './mail-language.ts';
import { voidTokens } from './one-time-tokens.queries.ts';

/** Nothing changes until the new address has answered (change-email.ts). */
export const createEmailRoutes = ({ limits, secrets }: { limits: RateLimits; secrets: Secrets }) => ({
  changeEmail: call.me.changeEmail.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      const { userId, origin } = context;
      const user = await findCredentials(trx, userId);
      // Removed since the session was looked up.
      if (user === undefined) throw notSignedIn();
      const email = input.email.toLowerCase();
      if (email === user.email) throw invalidInput('email', 'This is your address already.');
      await countMail(limits, networkOf(origin.network ?? ''), email);
      // One change at a time: the latest.
      await voidTokens(trx, ['change_email'], { userId });
      const language = languageOf(user.language);
      await askByMail(trx, secrets, { purpose: 'change_email', email, language, userId });
      return { email };
    }),
  ),
});
