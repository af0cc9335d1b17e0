import { createHash } from 'node:crypto';
import { callError, invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { findAnswer, insertKey, storeAnswer } from './idempotency.queries.ts';

interface RepeatableCall {
  userId: string;
  /** The call's name in the contract. */
  route: string;
  key: string | undefined;
  input: unknown;
  /** Of a limited member; see `Actor`. */
  reach: unknown;
}

/**
 * Makes a repeat with the same `Idempotency-Key` get the first answer. The key is stored in the transaction of
 * the effect: a twin that comes at the same time waits for it, and a failed call leaves no key behind.
 * @returns the first answer, or undefined when this is the first call with the key (or it has none)
 * @throws 422 `idempotency_key_reused` when the key came with another input, or under other limits, before
 */
export async function findFirstAnswer(
  trx: Transaction,
  call: RepeatableCall,
): Promise<{ answer: unknown } | undefined> {
  if (call.key === undefined) return undefined;
  if (call.key.length === 0 || call.key.length > 255)
    throw invalidInput('Idempotency-Key', 'Use 1 to 255 characters.');
  const row = toRow(call, call.key);
  const request_hash = createHash('sha256')
    .update(JSON.stringify([call.input ?? null, call.reach ?? null]))
    .digest('base64');
  if (await insertKey(trx, { ...row, request_hash })) return undefined;
  const first = await findAnswer(trx, row);
  if (first?.request_hash !== request_hash) {
    throw callError(
      422,
      'idempotency_key_reused',
      'This Idempotency-Key was already used for another request.',
    );
  }
  return { answer: first.answer };
}

/** Stores the answer of a first call for its repeats. */
export async function keepAnswer(trx: Transaction, call: RepeatableCall, answer: unknown): Promise<void> {
  if (call.key !== undefined) await storeAnswer(trx, toRow(call, call.key), answer);
}

const toRow = ({ userId, route }: RepeatableCall, key: string) => ({ user_id: userId, route, key });
