import type { Attempt } from '../../access/rate-limits.ts';
import type { Credentials } from '../users/credentials.queries.ts';
import type { Browser, SignInDeps } from '../sign-in-deps.ts';
import { invalidInput } from '../../../platform/http/api-error.ts';

/**
 * Whether a password is that of an active account. Failed attempts are counted; those of a trusted device only for that
 * device, so that strangers who guess lock no user out.
 * @param given.email  in lower case
 * @param given.user  undefined for an unknown address: takes as long and counts the same
 * @throws 429 `too_many_attempts`, 503 `unavailable`
 */
export async function checkPassword(
  { limits, passwords }: Pick<SignInDeps, 'limits' | 'passwords'>,
  { email, password, user }: { email: string; password: string; user: Credentials | undefined },
  { ipPrefix, trustedDevice }: Pick<Browser, 'ipPrefix' | 'trustedDevice'>,
): Promise<boolean> {
  const isKnown = user !== undefined && trustedDevice?.userId === user.id;
  const attempts: Attempt[] = isKnown
    ? [['failed_sign_ins_of_trusted_device', `${user.id} ${trustedDevice.id}`]]
    : // A network over its limit does not use up the attempts of the accounts it targets.
      [
        ['failed_sign_ins_of_ip_prefix', ipPrefix],
        ['failed_sign_ins_of_account', email],
        ['failed_sign_ins', ''],
      ];
  await limits.count(...attempts);
  let isEqual: boolean;
  try {
    isEqual = await passwords.verify(ipPrefix, { hash: user?.password ?? undefined, password });
  } catch (error) {
    await limits.refund(...attempts);
    throw error;
  }
  if (!isEqual || user?.status !== 'active') return false;
  await limits.refund(...attempts);
  return true;
}

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
