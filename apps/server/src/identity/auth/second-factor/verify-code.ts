import { apiError } from '../../../platform/http/api-error.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { SealPlace, Secrets } from '../../../platform/secrets.ts';
import type { Attempt } from '../../access/rate-limits.ts';
import type { TrustedDevice } from '../sign-in/trusted-device.ts';
import {
  findTotp,
  redeemRecoveryCode,
  redeemTotpStep,
  deleteRecoveryCodes,
  insertRecoveryCodes,
} from './second-factor.queries.ts';
import { randomBytes } from 'node:crypto';
import { base32 } from '@better-auth/utils/base32';
import { createOTP } from '@better-auth/utils/otp';
import { newId } from '../../../platform/ids.ts';

export const totpPlace = (userId: string): SealPlace => ({
  table: 'totp_secrets',
  column: 'secret_sealed',
  id: userId,
});

/**
 * @returns the attempts that a code counts as until it is verified. Trusted devices have separate limits: wrong codes
 *   from a stranger who has the password do not lock out the user at a trusted device. That device may be the
 *   stranger's own, trusted before there was a second factor: all trusted devices together have a daily limit, too.
 */
export const codeAttempts = (userId: string, device: TrustedDevice | undefined): Attempt[] =>
  device?.userId === userId
    ? [
        ['wrong_second_factors_of_trusted_device', `${userId} ${device.id}`],
        ['wrong_second_factors_of_trusted_devices_in_a_day', userId],
      ]
    : [
        ['wrong_second_factors_of_account', userId],
        ['wrong_second_factors_of_account_in_a_day', userId],
      ];

interface CodeDeps {
  secrets: Secrets;
  log: Log;
}

/**
 * Uses up a code of the authenticator app, or a recovery code.
 * @returns the kind of code; undefined for a wrong or used one
 * @throws 409 `authenticator_unreadable` if the secret was sealed with a key that is no longer known
 */
export async function redeemCode(
  trx: Transaction,
  { secrets, log }: CodeDeps,
  userId: string,
  code: string,
): Promise<'totp' | 'recovery_code' | undefined> {
  const totp = await findTotp(trx, userId);
  const secret =
    totp === undefined || totp.confirmed_at === null
      ? undefined
      : // Recovery codes are hashed with the same key: neither works without it.
        openSecret(secrets, log, userId, totp.secret_sealed);
  if (!isTotpCode(code))
    return (await redeemRecoveryCode(trx, userId, recoveryCodeHashes(secrets, code)))
      ? 'recovery_code'
      : undefined;
  return secret !== undefined && (await redeemTotpCode(trx, secrets, { userId, secret, code }))
    ? 'totp'
    : undefined;
}

/**
 * Uses up a code of an authenticator app during its setup. Only such a code proves that the app has the secret.
 * @param sealed  the secret that is not confirmed yet
 * @returns false for a wrong or used code
 * @throws 409 `authenticator_unreadable` as `redeemCode`
 */
export async function redeemSetupCode(
  trx: Transaction,
  { secrets, log }: CodeDeps,
  { userId, sealed, code }: { userId: string; sealed: string; code: string },
): Promise<boolean> {
  const secret = openSecret(secrets, log, userId, sealed);
  return await redeemTotpCode(trx, secrets, { userId, secret, code });
}

async function redeemTotpCode(
  trx: Transaction,
  secrets: Secrets,
  { userId, secret, code }: { userId: string; secret: string; code: string },
): Promise<boolean> {
  const step = await findTotpStep(secret, code, new Date());
  if (step === undefined) return false;
  // Sealed again with the current key: a secret in use stays readable however often SECRET_KEY is changed.
  const secretSealed = secrets.seal(totpPlace(userId), secret);
  return await redeemTotpStep(trx, userId, { step, secretSealed });
}

export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code);

function openSecret(secrets: Secrets, log: Log, userId: string, sealed: string): string {
  try {
    return secrets.open(totpPlace(userId), sealed);
  } catch (error) {
    log.error(
      { err: error, userId },
      'the secret of an authenticator app cannot be read: SECRET_KEY was changed without PREVIOUS_SECRET_KEYS',
    );
    throw apiError('authenticator_unreadable');
  }
}

/** Six digits, a new code every 30 seconds: what all authenticator apps support (RFC 6238). */
const periodMs = 30_000;

/** Codes of the previous and the next step are valid as well, to tolerate clock drift. */
const tolerance = 1;

/** 144 bits as text; RFC 4226 requires 128. */
export const newTotpSecret = (): string => randomBytes(18).toString('base64url');

/** The URL in the QR code for an authenticator app. */
export const totpUrl = (secret: string, email: string): string => createOTP(secret).url('Reachout', email);

/** The key to enter manually in an authenticator app. */
export const totpKey = (secret: string): string => base32.encode(secret, { padding: false });

/** @returns the time step that a code belongs to; undefined for a wrong one */
async function findTotpStep(secret: string, code: string, now: Date): Promise<number | undefined> {
  const otp = createOTP(secret);
  const current = Math.floor(now.getTime() / periodMs);
  for (let step = current - tolerance; step <= current + tolerance; step += 1)
    if ((await otp.hotp(step)) === code) return step;
  return undefined;
}

const codesPerPerson = 10;
const purpose = 'recovery code';

/** 80 bits in four groups. Digits that look like letters are not part of Base32. */
const newRecoveryCode = (): string =>
  base32
    .encode(randomBytes(10), { padding: false })
    .toLowerCase()
    .replaceAll(/.{4}(?=.)/g, '$&-');

/** Possible stored hashes of an entered code, with or without its hyphens. */
const recoveryCodeHashes = (secrets: Secrets, given: string): string[] =>
  secrets.hashes(purpose, given.toLowerCase().replaceAll(/[^a-z2-7]/g, ''));

/**
 * Creates new codes and deletes the earlier ones.
 * @returns the codes, of which only hashes are stored
 */
export async function renewRecoveryCodes(
  trx: Transaction,
  secrets: Secrets,
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: codesPerPerson }, newRecoveryCode);
  await deleteRecoveryCodes(trx, userId);
  await insertRecoveryCodes(
    trx,
    codes.map((code) => ({
      id: newId(),
      user_id: userId,
      code_hash: secrets.hash(purpose, code.replaceAll('-', '')),
    })),
  );
  return codes;
}
