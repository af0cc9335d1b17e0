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

/** A pool of connections for one kind of work, so that none of the others waits for it. */
export type Workload =
  /** Look-ups of callers and memberships: every request needs them, and none is slow. */
  | 'access'
  /** Everything else that is quick. */
  | 'general'
  /** Operations that the contract declares as expensive: their time grows with the data of an organization. */
  | 'expensive';

/**
 * Connections of each pool, and how many of them one person and one organization may hold at once: whatever they ask
 * for, the others go on. An expensive statement keeps one processor busy.
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
 * `transactionAs` for the operations of people. Waits for its turn as long as the request may wait (platform/wait-budget.ts).
 * @param db  the pool of this workload
 * @throws LimitExceeded when too much of this person, of this organization or of all is under way already
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
  // The limiter of all lets no more in than the pool has connections, so that nobody waits there again.
  const run = () => ofAll(db, start, wait.leftMs());
  const runForOrganization = () =>
    organizationId === undefined ? run() : ofOrganization(organizationId, run, wait.leftMs());
  return await (userId === undefined
    ? runForOrganization()
    : ofPerson(userId, runForOrganization, wait.leftMs()));
}

const rowSecurityViolation = '42501';

/** For `catch`: a row beyond the access scope of a limited member was to be written. @throws 403 `forbidden` */
export const denyBeyondScope =
  ({ accessScope }: Actor, permission: Permission) =>
  (error: unknown): never => {
    const isDenied = error instanceof DatabaseError && error.code === rowSecurityViolation;
    throw isDenied && accessScope !== undefined ? forbidden(...permission) : error;
  };
