import type { Database } from '../../platform/database/database.ts';
import { newToken, type Secrets } from '../../platform/secrets.ts';
import { findApiKeyByHash, updateLastUsed } from './find-api-key.queries.ts';
import type { Caller } from '../access/caller.ts';
import { limitedTransaction } from '../access/limited-transaction.ts';

/** Makes keys easy to recognize, for people and for scanners of leaked secrets. */
const keyPrefix = 'reachout_';

const hashPurpose = 'api key';

/** A new key, and what is stored of it. */
export function makeApiKey(secrets: Secrets): { secret: string; prefix: string; key_hash: string } {
  const secret = keyPrefix + newToken();
  return {
    secret,
    prefix: secret.slice(0, keyPrefix.length + 6),
    key_hash: secrets.hash(hashPurpose, secret),
  };
}

/** How exact `last_used_at` is; each use must not be a write. */
const usedEveryMs = 60_000;

/**
 * The caller that an `Authorization` header names; undefined for anything but a key that works. The key's owner is
 * looked at again by every operation: a key never outlives a membership, nor exceeds it.
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
