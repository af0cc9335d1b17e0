import { apiError } from '../../../platform/http/api-error.ts';
import { transactionAs, type Transaction } from '../../../platform/database/database.ts';
import { enqueueAccountEmail } from '../../account-email/enqueue-account-email.ts';
import { checkPassword } from '../passwords/check-password.ts';
import { findCredentials, type Credentials } from '../users/credentials.queries.ts';
import { updateEmail } from '../users/user.queries.ts';
import { linkExpired, noticeForMs } from '../one-time-tokens/one-time-token.ts';
import { findToken, revokeTokens, type OneTimeToken } from '../one-time-tokens/one-time-tokens.queries.ts';
import { deleteSessions } from '../sessions/sessions.queries.ts';
import type { Browser, SignInDeps } from '../sign-in-deps.ts';

/**
 * Changes an account's address to one whose mailbox the link has just proven. Notifies the old address, and ends the
 * sessions in other browsers. The link proves only the address: the requester may have mistyped it, or may want the
 * reader's address to belong to a stranger's account. Ownership of the account is proven by a session of it, or its
 * password.
 * @returns the new address
 * @throws 410 `link_expired`, also if the address belongs to another account by now; 409 `password_needed`, 401
 *   `wrong_password`, 429 `too_many_attempts`, 503 `unavailable`
 */
export async function confirmEmail(
  deps: SignInDeps,
  { token, password }: { token: string; password?: string | undefined },
  browser: Browser,
): Promise<string> {
  const { db, auth, secrets } = deps;
  const hashes = secrets.hashes('change_email', token);
  const caller = await auth.findCaller(browser.headers);
  const { user: asker } = await transactionAs(db, {}, (trx) => findChange(trx, hashes));
  const isSignedIn = caller?.userId === asker.id;
  if (!isSignedIn) await verifyOwner(deps, asker, password, browser);

  return await transactionAs(db, {}, async (trx) => {
    const { link, user } = await findChange(trx, hashes);
    const revoked = await revokeTokens(trx, ['reset_password', 'sign_in_code', 'change_email', 'sign_up'], {
      emails: [user.email, link.email],
      userId: user.id,
    });
    if (!revoked.includes(link.id) || !(await updateEmail(trx, user.id, link.email))) throw linkExpired();
    await deleteSessions(trx, user.id, isSignedIn ? caller?.session?.id : undefined);
    await enqueueAccountEmail(trx, {
      kind: 'email_changed',
      recipient: user.email,
      language: browser.language,
      payload: { user_id: user.id },
      validForMs: noticeForMs,
    });
    return link.email;
  });
}

/** @throws 410 `link_expired` */
async function findChange(
  trx: Transaction,
  hashes: string[],
): Promise<{ link: OneTimeToken; user: Credentials }> {
  const link = await findToken(trx, 'change_email', 'secret_hash', hashes);
  const user = typeof link?.user_id === 'string' ? await findCredentials(trx, link.user_id) : undefined;
  if (link === undefined || user?.status !== 'active') throw linkExpired();
  return { link, user };
}

async function verifyOwner(
  deps: SignInDeps,
  user: Credentials,
  password: string | undefined,
  browser: Browser,
): Promise<void> {
  if (password === undefined) {
    throw apiError('password_needed');
  }
  if (!(await checkPassword(deps, { email: user.email, password, user }, browser)))
    throw apiError('wrong_password');
}
