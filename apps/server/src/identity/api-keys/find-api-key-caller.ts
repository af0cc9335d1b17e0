import type { Database } from '../../platform/database/database.ts';
import { newToken, type Secrets } from '../../platform/secrets.ts';
import { findApiKeyByHash, updateLastUsed } from './api-key.queries.ts';
import type { Caller } from '../access/caller.ts';
import { limitedTransaction } from '../access/limited-transaction.ts';

/** Makes keys easy to recognize, for people and for secret scanners. */
const keyPrefix = 'reachout_';

const hashPurpose = 'api key';

/** @returns a new key, and the parts of it to store */
export function makeApiKey(secrets: Secrets): { secret: string; prefix: string; key_hash: string } {
  const secret = keyPrefix + newToken();
  return {
    secret,
    prefix: secret.slice(0, keyPrefix.length + 6),
    key_hash: secrets.hash(hashPurpose, secret),
  };
}

/** Precision of `last_used_at`, so that not every use is a write. */
const usedEveryMs = 60_000;

/**
 * @returns the caller of the API key in an `Authorization` header; undefined without a valid key. Every operation
 *   checks the membership of the key's owner again: a key never outlives a membership, nor exceeds it.
 * @throws LimitExceeded
 */
export async function findApiKeyCaller(
  db: Database,
  secrets: Secrets,
  authorization: string,
): Promise<Caller | undefined> {
  const secret = /^Bearer (\S{1,200})$/i.exec(authorization)?.[1];
  if (secret === undefined || !secret.startsWith(keyPrefix)) return undefined;
  const hashes = secrets.hashes(hashPurpose, secret);
  const key = await limitedTransaction(db, {}, (trx) => findApiKeyByHash(trx, hashes), 'access');
  if (key === undefined) return undefined;
  if (key.last_used_at === null || Date.now() - Date.parse(key.last_used_at) > usedEveryMs)
    await limitedTransaction(
      db,
      { organizationId: key.organization_id },
      (trx) => updateLastUsed(trx, key.id),
      'access',
    );
  return {
    userId: key.user_id,
    session: undefined,
    apiKey: { id: key.id, organizationId: key.organization_id, scopes: key.scopes },
  };
}
