import { createHmac } from 'node:crypto';
import { newTotpSecret, totpPlace } from '../identity/auth/second-factor/verify-code.ts';
import type { Database } from '../platform/database/database.ts';
import { insertRows } from '../sample/rows.ts';
import { deleteRows } from './rows.ts';
import { testSecrets } from './test-secrets.ts';

/**
 * @param key  Base32
 * @param offset  number of 30-second steps from now
 * @returns the code that an authenticator app shows (RFC 6238)
 */
export function totpCode(key: string, offset = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + offset));
  const digest = createHmac('sha1', decodeBase32(key)).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** Replaces the authenticator app of a user. @returns its secret */
export async function buildTotp(
  owner: Database,
  user_id: string,
  { secret = newTotpSecret(), isConfirmed = true } = {},
): Promise<string> {
  await deleteRows(owner, 'totp_secrets', { user_id });
  await insertRows(owner, 'totp_secrets', {
    user_id,
    secret_sealed: testSecrets.seal(totpPlace(user_id), secret),
    confirmed_at: isConfirmed ? new Date().toISOString() : null,
  });
  return secret;
}

function decodeBase32(text: string): Buffer {
  const bits = text.replaceAll(/./g, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'));
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
