import { createHash } from 'node:crypto';
import { apiError, invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { DeleteBatch } from '../../platform/database/delete-rows.ts';
import { deleteExpiredKeys, insertKey, selectResponse, updateResponse } from './idempotency.queries.ts';

interface IdempotentRequest {
  userId: string;
  /** Whose bytes the response counts towards. */
  organizationId: string | undefined;
  /** The operation's name in the contract. */
  route: string;
  key: string | undefined;
  input: unknown;
  /** Access scope of a limited member; see `Actor`. */
  accessScope: unknown;
}

/**
 * Stores the idempotency key, or finds the response to an earlier request with the same `Idempotency-Key`. The key is
 * stored in the transaction of the effect: a concurrent duplicate waits for that transaction, and a failed operation
 * stores no key.
 * @returns the first response, or undefined if this is the first request with the key (or it has none)
 * @throws 422 `idempotency_key_reused` if the key was used before with another input or access scope
 */
export async function findStoredResponse(
  trx: Transaction,
  request: IdempotentRequest,
): Promise<{ response: unknown } | undefined> {
  if (request.key === undefined) return undefined;
  if (request.key.length === 0 || request.key.length > 255)
    throw invalidInput('Idempotency-Key', 'Use 1 to 255 characters.');
  const row = toRow(request, request.key);
  const request_hash = hashOf(request);
  const counted_for = request.organizationId ?? null;
  if (await insertKey(trx, { ...row, request_hash, counted_for })) return undefined;
  const first = await selectResponse(trx, row);
  if (first?.request_hash !== request_hash) {
    throw apiError('idempotency_key_reused');
  }
  return { response: first.response };
}

/**
 * Like `findStoredResponse`, but without storing the key: for work done before the transaction of the effect.
 * @throws 422 `idempotency_key_reused`
 */
export async function findEarlierResponse(
  trx: Transaction,
  request: IdempotentRequest,
): Promise<{ response: unknown } | undefined> {
  if (request.key === undefined || request.key.length > 255) return undefined;
  const first = await selectResponse(trx, toRow(request, request.key));
  if (first === undefined) return undefined;
  if (first.request_hash !== hashOf(request)) throw apiError('idempotency_key_reused');
  return { response: first.response };
}

const hashOf = ({ input, accessScope }: IdempotentRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([input ?? null, accessScope ?? null]))
    .digest('base64');

/** Stores the response for repeats of the request. */
export async function storeResponse(
  trx: Transaction,
  request: IdempotentRequest,
  response: unknown,
): Promise<void> {
  if (request.key !== undefined) await updateResponse(trx, toRow(request, request.key), response);
}

const toRow = ({ userId, route }: IdempotentRequest, key: string) => ({ user_id: userId, route, key });

/** Deletes stored responses after a day. */
export const deleteOldResponses: DeleteBatch = deleteExpiredKeys;
