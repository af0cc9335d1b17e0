import { apiError } from '../../../platform/http/api-error.ts';
import { LimitExceeded } from '../../../platform/limit-exceeded.ts';
import { transactionAs } from '../../../platform/database/database.ts';
import { checkPassword } from '../passwords/check-password.ts';
import { findCredentialsByEmail, renewPasswordHash, type Credentials } from '../users/credentials.queries.ts';
import { finishFirstStep, type SignInStep } from '../second-factor/second-step.ts';
import type { Browser, SignInDeps } from '../sign-in-deps.ts';

/**
 * Unknown addresses, accounts without a password and suspended ones get the same response as a wrong password.
 * @param given.email in lower case
 * @throws 401 `invalid_email_or_password`, 429 `too_many_attempts`, 503 `unavailable`
 */
export async function signInWithPassword(
  deps: SignInDeps,
  { email, password }: { email: string; password: string },
  browser: Browser,
): Promise<SignInStep> {
  const user = await transactionAs(deps.db, {}, (trx) => findCredentialsByEmail(trx, email));
  if (!(await checkPassword(deps, { email, password, user }, browser)) || user === undefined)
    throw apiError('invalid_email_or_password');
  await renewOutdatedHash(deps, user, password, browser.ipPrefix);
  return await finishFirstStep(deps, browser, user.id, 'password');
}

/**
 * Renews a hash of an earlier cost while the password is known. If too many hashes are running, a later sign-in does
 * it.
 */
async function renewOutdatedHash(
  { db, passwords }: SignInDeps,
  { id, password: stored }: Credentials,
  password: string,
  ipPrefix: string,
): Promise<void> {
  if (stored === null || !passwords.isOutdated(stored)) return;
  const hash = await passwords.hash(ipPrefix, password).catch((error: unknown) => {
    if (error instanceof LimitExceeded) return undefined;
    throw error;
  });
  if (hash === undefined) return;
  await transactionAs(db, {}, (trx) => renewPasswordHash(trx, id, { from: stored, to: hash }));
}
