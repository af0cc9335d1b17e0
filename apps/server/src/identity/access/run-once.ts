import { createHash } from 'node:crypto';
import type { OperationMeta } from '@reachout/contract/operation.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { apiError, invalidInput } from '../../platform/http/api-error.ts';
import { addNotes, describeOperation, isInAuditLog, writeAuditEntry, type AuditNote } from './audit.ts';
import type { Caller, RequestOrigin } from './caller.ts';
import { insertKey, selectResponse, updateResponse } from './idempotency.queries.ts';

interface UnsafeOperation {
  caller: Caller;
  /** Undefined for operations without a tenant: these write no audit entry. */
  organizationId: string | undefined;
  origin: RequestOrigin;
  path: readonly string[];
  input: unknown;
  idempotencyKey: string | undefined;
  accessScope: unknown;
  secretFields: readonly string[];
  auditEntries: OperationMeta['auditEntries'];
  notes: readonly AuditNote[];
}

/** Runs `work` once per idempotency key and adds it to the audit log. @returns its response, or the stored one */
export async function runOnce<T>(
  trx: Transaction,
  operation: UnsafeOperation,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  const { organizationId, origin, path, input } = operation;
  const { userId, apiKey } = operation.caller;
  const name = path.join('.');
  const request = toIdempotentRequest(operation);
  const stored = await findStoredResponse(trx, request);
  if (stored !== undefined) return stored.response as T;
  const output = await work(trx);
  if (organizationId !== undefined) {
    const note = addNotes(describeOperation(path, input, output), operation.notes);
    const who = { userId, apiKey, organizationId, origin };
    if (operation.auditEntries === 'each' || !(await isInAuditLog(trx, who, name, note)))
      await writeAuditEntry(trx, who, name, note);
  }
  await storeResponse(trx, request, withoutSecrets(output, operation.secretFields));
  return output;
}

/** Finds the response to an earlier request with the same key, for work done outside of `runOnce`. */
export const findEarlier = (
  trx: Transaction,
  operation: UnsafeOperation,
): Promise<{ response: unknown } | undefined> => findEarlierResponse(trx, toIdempotentRequest(operation));

const toIdempotentRequest = ({
  caller,
  organizationId,
  path,
  input,
  idempotencyKey,
  accessScope,
}: UnsafeOperation) => ({
  userId: caller.userId,
  organizationId,
  // An API key and its owner do not share responses.
  route: [path.join('.'), caller.apiKey?.id].filter(Boolean).join(' '),
  key: idempotencyKey,
  input,
  // A member whose access scope has changed does not get the response again.
  accessScope,
});

function withoutSecrets(response: unknown, secretFields: readonly string[]): unknown {
  if (secretFields.length === 0 || typeof response !== 'object' || response === null) return response;
  if (Array.isArray(response)) return response.map((entry) => withoutSecrets(entry, secretFields));
  return Object.fromEntries(
    Object.entries(response).map(([key, value]) => [
      key,
      secretFields.includes(key) ? null : withoutSecrets(value, secretFields),
    ]),
  );
}

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
async function findStoredResponse(
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
async function findEarlierResponse(
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
async function storeResponse(trx: Transaction, request: IdempotentRequest, response: unknown): Promise<void> {
  if (request.key !== undefined) await updateResponse(trx, toRow(request, request.key), response);
}

const toRow = ({ userId, route }: IdempotentRequest, key: string) => ({ user_id: userId, route, key });
