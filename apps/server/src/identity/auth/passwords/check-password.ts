import { randomBytes } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import type { Attempt } from '../../access/rate-limits.ts';
import type { Credentials } from '../users/credentials.queries.ts';
import { verifyPasswordLimited } from './password-hash.ts';
import type { Browser, SignInDeps } from '../sign-in-deps.ts';

/** Compared with where an account has no password or does not exist, so that the response takes as long. */
let nobodysPassword: Promise<string> | undefined;

/**
 * Whether a password is that of the account, as far as there is one that is active. Wrong ones are counted: in a
 * browser that signed in to this account before by that browser alone, so that strangers who guess lock nobody out.
 * @param given.email in lower case
 * @param given.user undefined for an unknown address: takes as long and counts the same
 * @throws 429 `too_many_attempts`, 503 `unavailable`
 */
export async function checkPassword(
  { limits }: Pick<SignInDeps, 'limits'>,
  { email, password, user }: { email: string; password: string; user: Credentials | undefined },
  { ipPrefix, trustedDevice }: Pick<Browser, 'ipPrefix' | 'trustedDevice'>,
): Promise<boolean> {
  const isKnown = user !== undefined && trustedDevice?.userId === user.id;
  const attempts: Attempt[] = isKnown
    ? [['failed_sign_ins_of_trusted_device', `${user.id} ${trustedDevice.id}`]]
    : // A network that has had its share does not use up the tries of the people it aims at.
      [
        ['failed_sign_ins_of_ip_prefix', ipPrefix],
        ['failed_sign_ins_of_account', email],
        ['failed_sign_ins', ''],
      ];
  await limits.count(...attempts);
  nobodysPassword ??= hashPassword(randomBytes(16).toString('hex'));
  const hash = user?.password ?? (await nobodysPassword);
  let isEqual: boolean;
  try {
    isEqual = await verifyPasswordLimited(ipPrefix, { hash, password });
  } catch (error) {
    await limits.refund(...attempts);
    throw error;
  }
  if (user === undefined || user.password === null || user.status !== 'active' || !isEqual) return false;
  await limits.refund(...attempts);
  return true;
}
