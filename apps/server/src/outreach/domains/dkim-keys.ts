import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { OperationContext } from '../../identity/access/operations.ts';
import type { Row, Transaction } from '../../platform/database/database.ts';
import { apiError, orNotFound } from '../../platform/http/api-error.ts';
import type { SealPlace, Secrets } from '../../platform/secrets.ts';
import {
  insertDkimKeys,
  listDkimKeys,
  listWithoutKey,
  lockDkimKeys,
  replaceDkimKey,
  switchSigningKey,
  type DkimKey,
} from './dkim-key.queries.ts';

const selectors = ['r1', 'r2'] as const;
/** Messages that are signed with a key can be on their way, or be checked again, for so long. */
const keptMs = 7 * 86_400_000;
const maxNamed = 10;

type NewKey = Row<'dkim_keys', 'public_key' | 'private_key'>;

const generate = promisify(generateKeyPair);

/** Computes for some tenths of a second, in a thread of its own. */
async function newKey(secrets: Secrets, organizationId: string, selector: string): Promise<NewKey> {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const place = privateKeyPlace(organizationId, selector);
  return { public_key: publicKey.toString('base64'), private_key: secrets.seal(place, privateKey) };
}

export const privateKeyPlace = (organizationId: string, selector: string): SealPlace => ({
  table: 'dkim_keys',
  column: 'private_key',
  id: selector,
  organizationId,
});

/** Creates the keys of an organization without any, outside of a transaction. @returns rows to insert */
export const newKeys = (secrets: Secrets, organization_id: string) =>
  Promise.all(
    selectors.map(async (selector, index) => ({
      organization_id,
      selector,
      ...(await newKey(secrets, organization_id, selector)),
      is_signing: index === 0,
    })),
  );

/** @param rows  of `newKeys`; not used if the organization has keys by now */
export async function storeKeys(
  trx: Transaction,
  rows: Awaited<ReturnType<typeof newKeys>> | undefined,
): Promise<void> {
  if (rows !== undefined) await insertDkimKeys(trx, rows);
}

/**
 * Takes the next step of a rotation: signs with the other key, or, if that one has signed before, replaces it.
 * @throws 404 without keys; 409 `key_in_use`, `key_not_published`
 */
export async function rotateKeys(
  secrets: Secrets,
  { organizationId, transaction, commit }: OperationContext,
) {
  const seen = nextOf(await transaction(listDkimKeys));
  const generated =
    seen.signed_until === null ? undefined : await newKey(secrets, organizationId, seen.selector);
  return await commit(async (trx) => {
    const next = nextOf(await lockDkimKeys(trx));
    if (next.signed_until === null) {
      await denyUnpublished(trx, next);
      await switchSigningKey(trx, next.selector);
      return { id: organizationId, step: 'switched' as const, keys: await listDkimKeys(trx) };
    }
    const until = Date.parse(next.signed_until) + keptMs;
    // Another rotation switched between the transactions.
    if (generated === undefined || Date.now() < until)
      throw apiError('key_in_use', { until: new Date(until).toISOString() });
    await replaceDkimKey(trx, next.selector, generated);
    return { id: organizationId, step: 'replaced' as const, keys: await listDkimKeys(trx) };
  });
}

const nextOf = (keys: readonly DkimKey[]): DkimKey => orNotFound(keys.find(({ is_signing }) => !is_signing));

async function denyUnpublished(trx: Transaction, { created_at }: DkimKey): Promise<void> {
  const without = await listWithoutKey(trx, created_at);
  if (without.length === 0) return;
  const names = without.slice(0, maxNamed).map(({ domain }) => domain);
  throw apiError('key_not_published', { domains: names, count: without.length });
}
