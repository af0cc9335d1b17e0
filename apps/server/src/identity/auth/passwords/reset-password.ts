import { invalidInput } from '../../../platform/http/api-error.ts';
import { transactionAs, type Transaction } from '../../../platform/database/database.ts';
import { listMyApiKeys } from '../../api-keys/api-key.queries.ts';
import { requestByEmail, countEmail } from '../one-time-tokens/request-by-email.ts';
import { findCredentials, upsertPassword, type Credentials } from '../users/credentials.queries.ts';
import { linkExpired, noticeForMs } from '../one-time-tokens/one-time-token.ts';
import { findToken, revokeTokens } from '../one-time-tokens/one-time-tokens.queries.ts';
import { findPasswordProblem } from './password-rules.ts';
import type { Browser, SignInDeps } from '../sign-in-deps.ts';
import { enqueueAccountEmail } from '../../account-email/enqueue-account-email.ts';
import type { EmailLanguage } from '../../account-email/account-email.ts';
import { deleteSessions } from '../sessions/sessions.queries.ts';

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

/**
 * Sets a password, ends the other sessions, revokes pending links and codes, including a change of address, and
 * notifies the user.
 * @param change.keptSessionId  the session that makes the change; none after a reset
 * @param change.linkId  the reset link, which works once
 * @returns the number of ended sessions
 * @throws 410 `link_expired`
 */
export async function replacePassword(
  trx: Transaction,
  user: Pick<Credentials, 'id' | 'email'>,
  change: { hash: string; language: EmailLanguage; keptSessionId?: string; linkId?: string },
): Promise<number> {
  const revoked = await revokeTokens(
    trx,
    ['reset_password', 'sign_in_code', 'change_email', 'second_factor'],
    {
      emails: [user.email],
      userId: user.id,
    },
  );
  if (change.linkId !== undefined && !revoked.includes(change.linkId)) throw linkExpired();
  await upsertPassword(trx, user.id, change.hash);
  const ended = await deleteSessions(trx, user.id, change.keptSessionId);
  await enqueueAccountEmail(trx, {
    kind: 'password_changed',
    recipient: user.email,
    language: change.language,
    payload: { user_id: user.id, was_reset: change.linkId !== undefined },
    validForMs: noticeForMs,
  });
  return ended;
}
