import { invalidInput } from '../../../platform/http/api-error.ts';
import { transactionAs } from '../../../platform/database/database.ts';
import { listMyApiKeys } from '../../api-keys/my-api-keys.queries.ts';
import { requestByEmail, countEmail } from '../one-time-tokens/request-by-email.ts';
import { findCredentials } from '../users/credentials.queries.ts';
import { linkExpired } from '../one-time-tokens/link-expired.ts';
import { findToken } from '../one-time-tokens/one-time-tokens.queries.ts';
import { findPasswordProblem } from './password-rules.ts';
import { replacePassword } from './replace-password.ts';
import type { Browser, SignInDeps } from '../sign-in-deps.ts';

/**
 * Queues an email with a link for setting a password, also for users without one.
 * @param email  in lower case
 * @throws 429 `too_many_attempts`
 */
export async function requestReset(
  { db, secrets, limits }: SignInDeps,
  email: string,
  { ipPrefix, language }: Browser,
): Promise<void> {
  await countEmail(limits, ipPrefix, 'reset_password', email);
  await transactionAs(db, {}, (trx) =>
    requestByEmail(trx, secrets, { purpose: 'reset_password', email, language }),
  );
}

/**
 * Sets a new password and ends all sessions: a user who needs a reset may not be the only one in the account.
 * @returns the number of the user's API keys that stay valid; the keys are shown after sign-in
 * @throws 410 `link_expired`, 422 `invalid_input` for `password`, 503 `unavailable`
 */
export async function resetPassword(
  { db, secrets, passwords }: SignInDeps,
  { token, password }: { token: string; password: string },
  { language, ipPrefix }: Browser,
): Promise<number> {
  const found = await transactionAs(db, {}, async (trx) => {
    const link = await findToken(
      trx,
      'reset_password',
      'secret_hash',
      secrets.hashes('reset_password', token),
    );
    if (link === undefined || link.user_id === null) return undefined;
    const user = await findCredentials(trx, link.user_id);
    return user?.status === 'active' ? { id: link.id, user } : undefined;
  });
  if (found === undefined) throw linkExpired();
  const { id, user } = found;
  const problem = await findPasswordProblem(password, { name: user.full_name, email: user.email });
  if (problem !== undefined) throw invalidInput('password', problem);
  const hash = await passwords.hash(ipPrefix, password);
  await transactionAs(db, {}, (trx) => replacePassword(trx, user, { hash, language, linkId: id }));
  return await transactionAs(db, { userId: user.id }, async (trx) => (await listMyApiKeys(trx)).length);
}
