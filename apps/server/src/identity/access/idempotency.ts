import { createHash } from 'node:crypto';
import { apiError, invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { DeleteBatch } from '../../platform/database/delete-rows.ts';
import { deleteExpiredKeys, insertKey, selectResponse, updateResponse } from './idempotency.queries.ts';

interface IdempotentRequest {
  userId: string;
  /** The operation's name in the contract. */
  route: string;
  key: string | undefined;
  input: unknown;
  /** Of a limited member; see `Actor`. */
  accessScope: unknown;
}

/**
 * Makes a repeat with the same `Idempotency-Key` get the first response. The key is stored in the transaction of
 * the effect: a concurrent duplicate waits for it, and a failed operation leaves no key behind.
 * @returns the first response, or undefined when this is the first request with the key (or it has none)
 * @throws 422 `idempotency_key_reused` when the key came with another input, or under other limits, before
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
  if (await insertKey(trx, { ...row, request_hash })) return undefined;
  const first = await selectResponse(trx, row);
  if (first?.request_hash !== request_hash) {
    throw apiError('idempotency_key_reused');
  }
  return { response: first.response };
}

/**
 * The same without storing the key, for work that is done before the transaction of the effect.
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

/** Responses are stored for repeats within a day. */
export const deleteOldResponses: DeleteBatch = deleteExpiredKeys;
