import { apiError } from '../../../platform/http/api-error.ts';
import { transactionAs, type Transaction } from '../../../platform/database/database.ts';
import type { Attempt } from '../../access/rate-limits.ts';
import { newToken } from '../../../platform/secrets.ts';
import { requestByEmail, pendingAuthHash, countEmail } from '../one-time-tokens/request-by-email.ts';
import { findCredentials } from '../users/credentials.queries.ts';
import { codeSecret, maxFailedAttempts } from '../one-time-tokens/one-time-token.ts';
import {
  countFailedAttempts,
  findToken,
  verifySecret,
  revokeOlderCodes,
  revokeTokens,
} from '../one-time-tokens/one-time-tokens.queries.ts';
import { finishFirstStep, type SignInStep } from '../second-factor/second-step.ts';
import type { Browser, SignInDeps } from '../sign-in-deps.ts';

/**
 * Queues an email with a code, and revokes the code that this browser requested before.
 * @param email  in lower case
 * @returns the secret for the browser's cookie: without it, the code does not work
 * @throws 429 `too_many_attempts`
 */
export async function requestCode(
  { db, secrets, limits }: SignInDeps,
  email: string,
  { ipPrefix, language, pendingAuth: attemptOf }: Browser,
): Promise<string> {
  await countEmail(limits, ipPrefix, 'sign_in_code', email);
  const before = attemptOf('sign_in_code');
  const beforeHashes = before === undefined ? [] : secrets.hashes(pendingAuthHash('sign_in_code'), before);
  const pendingAuth = newToken();
  await transactionAs(db, {}, async (trx) => {
    await revokeOlderCodes(trx, email, beforeHashes);
    await requestByEmail(trx, secrets, { purpose: 'sign_in_code', email, language, pendingAuth });
  });
  return pendingAuth;
}

/**
 * @throws 401 `wrong_code`, 410 `code_expired`, 429 `too_many_attempts`
 */
export async function verifyCode(deps: SignInDeps, code: string, browser: Browser): Promise<SignInStep> {
  const { db, secrets, limits } = deps;
  const pendingAuth = browser.pendingAuth('sign_in_code');
  if (pendingAuth === undefined) throw codeExpired();
  const counted: Attempt = ['wrong_codes_of_ip_prefix', browser.ipPrefix];
  await limits.count(counted);
  const browserHashes = secrets.hashes(pendingAuthHash('sign_in_code'), pendingAuth);
  const outcome = await transactionAs(db, {}, async (trx) => {
    const token = await findToken(trx, 'sign_in_code', 'browser_hash', browserHashes);
    if (token === undefined || (await countFailedAttempts(trx, token.email)) >= maxFailedAttempts)
      return 'expired';
    const secretHashes = secrets.hashes('sign_in_code', codeSecret(token.id, code));
    const result = await verifySecret(trx, token.id, secretHashes);
    if (result !== 'right') return result ?? 'expired';
    await revokeTokens(trx, ['sign_in_code'], { emails: [token.email] });
    return await findActive(trx, token.user_id);
  });
  if (outcome === 'wrong') throw apiError('wrong_code');
  if (outcome === 'expired') throw codeExpired();
  await limits.refund(counted);
  return await finishFirstStep(deps, browser, outcome.id, 'code');
}

/** Finds the user stored in the token with the code, who may have been suspended since. */
async function findActive(trx: Transaction, userId: string | null) {
  const user = userId === null ? undefined : await findCredentials(trx, userId);
  return user?.status === 'active' ? user : 'expired';
}

const codeExpired = () => apiError('code_expired');
