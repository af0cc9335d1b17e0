import { invalidInput } from '../../../platform/http/api-error.ts';
import type { Attempt } from '../../access/rate-limits.ts';
import type { Credentials } from '../users/credentials.queries.ts';
import type { SignInDeps } from '../sign-in-deps.ts';

/**
 * Verifies the current password before a change: a stranger at an open session does not know it, and the rate limit
 * prevents guessing.
 * @param user  with a password
 * @throws 422 `invalid_input` for `current_plain_password`, 429 `too_many_attempts`, 503 `unavailable`
 */
export async function verifyCurrentPassword(
  { limits, passwords }: Pick<SignInDeps, 'limits' | 'passwords'>,
  user: Credentials & { password: string },
  given: string,
  ipPrefix: string,
): Promise<void> {
  const attempt: Attempt = ['wrong_current_passwords', user.id];
  await limits.count(attempt);
  let isEqual: boolean;
  try {
    isEqual = await passwords.verify(ipPrefix, { hash: user.password, password: given });
  } catch (error) {
    await limits.refund(attempt);
    throw error;
  }
  if (!isEqual) throw invalidInput('current_plain_password', 'This is not your current password.');
  await limits.refund(attempt);
}

export const hasPassword = (user: Credentials): user is Credentials & { password: string } =>
  user.password !== null;
