import { randomBytes } from 'node:crypto';
import { base32 } from '@better-auth/utils/base32';
import { createOTP } from '@better-auth/utils/otp';

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
export async function findTotpStep(secret: string, code: string, now: Date): Promise<number | undefined> {
  const otp = createOTP(secret);
  const current = Math.floor(now.getTime() / periodMs);
  for (let step = current - tolerance; step <= current + tolerance; step += 1)
    if ((await otp.hotp(step)) === code) return step;
  return undefined;
}
