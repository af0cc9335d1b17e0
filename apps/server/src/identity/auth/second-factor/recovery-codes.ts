import { randomBytes } from 'node:crypto';
import { base32 } from '@better-auth/utils/base32';
import type { Transaction } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { deleteRecoveryCodes, insertRecoveryCodes } from './second-factor.queries.ts';

const codesPerPerson = 10;
const purpose = 'recovery code';

/** 80 bits in four groups. Digits that look like letters are not part of Base32. */
const newRecoveryCode = (): string =>
  base32
    .encode(randomBytes(10), { padding: false })
    .toLowerCase()
    .replaceAll(/.{4}(?=.)/g, '$&-');

/** Possible stored hashes of an entered code, with or without its hyphens. */
export const recoveryCodeHashes = (secrets: Secrets, given: string): string[] =>
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
