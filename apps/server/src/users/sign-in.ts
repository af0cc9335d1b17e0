import { randomBytes } from 'node:crypto';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { callError } from '../platform/call-error.ts';
import { transactionAs } from '../platform/database/database.ts';
import type { Attempt } from '../platform/rate-limits.ts';
import { findCredentialsByEmail } from './credentials.queries.ts';
import type { Browser, SignInDeps } from './sign-in-deps.ts';

/** What passwords are compared with where there is none: it takes as long (AUTH-2). */
let nobodysPassword: Promise<string> | undefined;

/**
 * Unknown addresses, people without a password and suspended ones are refused like a wrong password (AUTH-2).
 * @param given.email in lower case
 * @returns the cookies of the session
 * @throws 401 `invalid_email_or_password`, 429 `too_many_attempts`
 */
export async function signInWithPassword(
  { db, auth, limits }: SignInDeps,
  { email, password }: { email: string; password: string },
  { headers, network }: Browser,
): Promise<string[]> {
  // A network that has had its share does not use up the tries of the people it aims at (AUTH-7).
  const attempts: Attempt[] = [
    ['failed_sign_ins_of_network', network],
    ['failed_sign_ins_of_account', email],
    ['failed_sign_ins', ''],
  ];
  await limits.count(...attempts);
  nobodysPassword ??= hashPassword(randomBytes(16).toString('hex'));
  const user = await transactionAs(db, {}, (trx) => findCredentialsByEmail(trx, email));
  const hash = user?.password ?? (await nobodysPassword);
  const isRight = await verifyPassword({ hash, password });
  if (user === undefined || user.password === null || user.status !== 'active' || !isRight)
    throw callError(401, 'invalid_email_or_password', 'Email and password do not match.');
  await limits.forgive(...attempts);
  return await auth.openSession(headers, user.id, 'password');
}
