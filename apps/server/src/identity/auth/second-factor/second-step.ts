import { apiError } from '../../../platform/http/api-error.ts';
import { transactionAs } from '../../../platform/database/database.ts';
import { newToken } from '../../../platform/secrets.ts';
import { languageOf } from '../emails/email-language.ts';
import { validForMs } from '../one-time-tokens/one-time-token.ts';
import {
  countAttempt,
  findToken,
  insertToken,
  useToken,
  type OneTimeToken,
} from '../one-time-tokens/one-time-tokens.queries.ts';
import type { SignInMethod } from '../sessions/session.ts';
import type { Browser, SignInDeps } from '../sign-in-deps.ts';
import { findCredentials } from '../users/credentials.queries.ts';
import { enqueueFactorNotice } from './factor-notice.ts';
import { findFactors } from './second-factor.queries.ts';
import { codeAttempts, redeemCode } from './verify-code.ts';

/** The cookies of a session, or of a sign-in that waits for the second factor. */
export type SignInStep = { sessionCookies: string[] } | { pendingAuth: string };

/** Completes the first step of every sign-in method. */
export async function finishFirstStep(
  deps: SignInDeps,
  browser: Browser,
  userId: string,
  method: SignInMethod,
): Promise<SignInStep> {
  const sessionCookies = await deps.auth.openSession(browser.headers, userId, method);
  return sessionCookies === 'second_factor_needed'
    ? { pendingAuth: await startSecondStep(deps, userId, method) }
    : { sessionCookies };
}

/** @returns the secret by which the browser proves that the first step was done in it */
export async function startSecondStep(
  { db, secrets }: Pick<SignInDeps, 'db' | 'secrets'>,
  userId: string,
  method: string,
): Promise<string> {
  const pendingAuth = newToken();
  await transactionAs(db, {}, async (trx) => {
    const user = await findCredentials(trx, userId);
    if (user === undefined) throw stepExpired();
    await insertToken(trx, {
      purpose: 'second_factor',
      email: user.email,
      user_id: userId,
      secret_hash: secrets.hash('second_factor', pendingAuth),
      payload: { method },
      validForMs: validForMs.second_factor,
    });
  });
  return pendingAuth;
}

/** @returns the factors that the user can prove now. @throws 410 `code_expired` */
export async function describeSecondStep(
  deps: SignInDeps,
  browser: Browser,
): Promise<{ totp: boolean; passkey: boolean; recovery_code: boolean }> {
  const { userId } = await findSecondStep(deps, browser);
  const factors = await transactionAs(deps.db, { userId }, (trx) => findFactors(trx, userId));
  return {
    totp: factors.hasTotp,
    passkey: factors.passkeys > 0,
    recovery_code: factors.recoveryCodes > 0,
  };
}

/**
 * Signs in with a code of the authenticator app or a recovery code, after the first step.
 * @returns the cookies of the session
 * @throws 401 `wrong_code`, 410 `code_expired`, 429 `too_many_attempts`, 409 `authenticator_unreadable`
 */
export async function finishByCode(deps: SignInDeps, code: string, browser: Browser): Promise<string[]> {
  const { db, limits } = deps;
  const { token, userId } = await findSecondStep(deps, browser);
  const attempts = codeAttempts(userId, browser.trustedDevice);
  await limits.count(...attempts);
  if (!(await transactionAs(db, {}, (trx) => countAttempt(trx, token.id)))) throw stepExpired();
  const method = token.payload.method ?? 'password';
  const cookies = await deps.auth.openSession(browser.headers, userId, method, async () => {
    await transactionAs(db, { userId }, async (trx) => {
      const used = await redeemCode(trx, deps, userId, code);
      if (used === undefined) throw apiError('wrong_code');
      // Each first step allows one sign-in.
      if (!(await useToken(trx, token.id))) throw stepExpired();
      const user = used === 'recovery_code' ? await findCredentials(trx, userId) : undefined;
      if (user !== undefined)
        await enqueueFactorNotice(trx, user, 'recovery_code_used', languageOf(user.language));
    });
    await limits.refund(...attempts);
  });
  if (cookies === 'second_factor_needed') throw new Error('A proven second factor was asked for again.');
  return cookies;
}

/** @throws 410 `code_expired` if no first step is pending in this browser */
async function findSecondStep(
  { db, secrets }: SignInDeps,
  browser: Browser,
): Promise<{ token: OneTimeToken; userId: string }> {
  const pendingAuth = browser.pendingAuth('second_factor');
  if (pendingAuth === undefined) throw stepExpired();
  const token = await transactionAs(db, {}, (trx) =>
    findToken(trx, 'second_factor', 'secret_hash', secrets.hashes('second_factor', pendingAuth)),
  );
  if (token?.user_id == null) throw stepExpired();
  return { token, userId: token.user_id };
}

const stepExpired = () => apiError('code_expired');
