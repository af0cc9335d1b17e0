import type { OperationMeta } from '@reachout/contract/operation.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { addNotes, describeOperation, isInAuditLog, writeAuditEntry, type AuditNote } from './audit.ts';
import type { Caller, RequestOrigin } from './caller.ts';
import { findEarlierResponse, findStoredResponse, storeResponse } from './idempotency.ts';

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
