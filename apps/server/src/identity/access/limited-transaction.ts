import type { Permission } from '@reachout/contract/operation.ts';
import { DatabaseError } from 'pg';
import { forbidden, unavailable } from '../../platform/http/api-error.ts';
import {
  transactionAs,
  type Actor,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { createConcurrencyLimiter, LimitExceeded } from '../../platform/concurrency-limiter.ts';

/**
 * Connections that the operations of one person, and of one organization, may hold at once, out of ten: whatever they
 * ask for, the others go on. The wait is that for a connection.
 */
const limitConcurrency = createConcurrencyLimiter({ maxConcurrent: 4, maxQueued: 200, maxWaitMs: 5_000 });

/**
 * `transactionAs` for the operations of people.
 * @throws 503 `unavailable` when too much of this person or organization is under way already
 */
export async function limitedTransaction<T>(
  db: Database,
  actor: Actor,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  const { userId, organizationId } = actor;
  const run = () => transactionAs(db, actor, work);
  const runForOrganization = () =>
    organizationId === undefined ? run() : limitConcurrency(`organization ${organizationId}`, run);
  try {
    return await (userId === undefined
      ? runForOrganization()
      : limitConcurrency(`user ${userId}`, runForOrganization));
  } catch (error) {
    if (error instanceof LimitExceeded) throw unavailable();
    throw error;
  }
}

const rowSecurityViolation = '42501';

/** For `catch`: a row beyond the access scope of a limited member was to be written. @throws 403 `forbidden` */
export const denyBeyondScope =
  ({ accessScope }: Actor, permission: Permission) =>
  (error: unknown): never => {
    const isDenied = error instanceof DatabaseError && error.code === rowSecurityViolation;
    throw isDenied && accessScope !== undefined ? forbidden(...permission) : error;
  };
