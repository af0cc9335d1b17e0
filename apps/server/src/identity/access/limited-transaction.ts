import type { Permission } from '@reachout/contract/operation.ts';
import { DatabaseError } from 'pg';
import { forbidden } from '../../platform/http/api-error.ts';
import {
  transactionAs,
  type Actor,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import { maxWaitMs, startWait } from '../../platform/wait-budget.ts';

/** A connection pool for one kind of work, so that other kinds of work do not wait for it. */
export type Workload =
  /** Look-ups of callers and memberships: every request needs them, and all are fast. */
  | 'access'
  /** All other fast work. */
  | 'general'
  /** Operations that the contract declares as expensive: their duration grows with the organization's data. */
  | 'expensive';

/**
 * Connections of each pool, and the maximum number that one user and one organization may hold concurrently, so that
 * they do not block others. An expensive statement keeps one processor busy.
 */
export const workloads = {
  access: { connections: 4, perPerson: 2, perOrganization: 2, maxQueued: 200 },
  general: { connections: 10, perPerson: 4, perOrganization: 4, maxQueued: 200 },
  expensive: { connections: 3, perPerson: 1, perOrganization: 2, maxQueued: 20 },
} as const satisfies Record<Workload, object>;

const limiters = {
  access: createLimiters('access'),
  general: createLimiters('general'),
  expensive: createLimiters('expensive'),
};

function createLimiters(workload: Workload) {
  const { connections, perPerson, perOrganization, maxQueued } = workloads[workload];
  const create = (of: string, maxConcurrent: number, maxQueuedHere: number) =>
    createConcurrencyLimiter({
      bound: `${workload} connections${of}`,
      maxConcurrent,
      maxQueued: maxQueuedHere,
      maxWaitMs,
    });
  return {
    ofPerson: create(' of one person', perPerson, maxQueued),
    ofOrganization: create(' of one organization', perOrganization, maxQueued),
    ofAll: create('', connections, maxQueued * 5),
  };
}

/**
 * `transactionAs` with concurrency limits, for user operations. Waits for a free slot within the request's wait budget
 * (platform/wait-budget.ts).
 * @param db  the pool of this workload
 * @throws LimitExceeded if the queue of this user, of this organization or of the workload is full, or if no slot was
 *   free within the wait budget
 */
export async function limitedTransaction<T>(
  db: Database,
  actor: Actor,
  work: (trx: Transaction) => Promise<T>,
  workload: Workload = 'general',
): Promise<T> {
  const { userId, organizationId } = actor;
  const { ofPerson, ofOrganization, ofAll } = limiters[workload];
  const wait = startWait();
  const start = () => {
    wait.end();
    return transactionAs(db, actor, work);
  };
  // The overall limit equals the pool size, so that no transaction waits a second time for a connection.
  const run = () => ofAll(db, start, wait.leftMs());
  const runForOrganization = () =>
    organizationId === undefined ? run() : ofOrganization(organizationId, run, wait.leftMs());
  return await (userId === undefined
    ? runForOrganization()
    : ofPerson(userId, runForOrganization, wait.leftMs()));
}

const rowSecurityViolation = '42501';

/**
 * For `catch`: reports a write outside the access scope of a limited member as 403; rethrows other errors.
 * @throws 403 `forbidden`
 */
export const denyBeyondScope =
  ({ accessScope }: Actor, permission: Permission) =>
  (error: unknown): never => {
    const isDenied = error instanceof DatabaseError && error.code === rowSecurityViolation;
    throw isDenied && accessScope !== undefined ? forbidden(...permission) : error;
  };
