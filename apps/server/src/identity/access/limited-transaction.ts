import type { Permission } from '@reachout/contract/operation.ts';
import { DatabaseError } from 'pg';
import { quotaExceeded } from '../organizations/quotas.ts';
import { forbidden } from '../../platform/http/api-error.ts';
import {
  transactionAs,
  type Actor,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { cancellableTransaction } from '../../platform/database/cancellable-transaction.ts';
import { createFairLimiter, type Account } from '../../platform/fair-limiter.ts';
import { currentNetwork, isBulkWork } from '../../platform/http/requester.ts';
import { LimitExceeded, retryAfter } from '../../platform/limit-exceeded.ts';
import { startWait } from '../../platform/wait-budget.ts';

/** A connection pool for one kind of work, so that other kinds of work do not wait for it. */
export type Workload =
  /** Look-ups of callers and memberships: every request needs them, and all are fast. */
  | 'access'
  /** All other fast work. */
  | 'general'
  /** Operations that the contract declares as expensive: their duration grows with the organization's data. */
  | 'expensive';

/**
 * Connections of each pool, those among them that only light users get, and the maximum number that one user and one
 * organization may hold concurrently, so that they do not block others. An expensive statement keeps one processor busy.
 */
export const workloads = {
  access: { connections: 4, reserved: 1, perPerson: 2, perOrganization: 2, maxQueued: 200 },
  general: { connections: 10, reserved: 2, perPerson: 4, perOrganization: 4, maxQueued: 200 },
  expensive: { connections: 3, reserved: 1, perPerson: 1, perOrganization: 2, maxQueued: 20 },
} as const satisfies Record<Workload, object>;

/** The pool of expensive operations has one connection more, which cancels their statements. */
export const poolSizeOf = (workload: Workload): number =>
  workloads[workload].connections + (workload === 'expensive' ? 1 : 0);

const limiters = {
  access: createLimiter('access'),
  general: createLimiter('general'),
  expensive: createLimiter('expensive'),
};

function createLimiter(workload: Workload) {
  const { connections, reserved, maxQueued } = workloads[workload];
  return createFairLimiter({
    bound: `${workload} connections`,
    // Equals the size of the pool, so that no transaction waits a second time for a connection.
    maxConcurrent: connections,
    reserved,
    maxQueuedPerAccount: maxQueued,
    maxQueued: maxQueued * 5,
  });
}

/**
 * `transactionAs` for user operations. Waits for a free connection within the request's wait budget
 * (platform/wait-budget.ts), and a light user longer for an expensive operation, or while own requests are running. The time
 * that it takes is debited to user and organization: those who used the database least recently get the next connection.
 * Bulk work (`Requester.isBulk`) is debited apart, and comes after light users and its own organization.
 * @param db  the pool of this workload
 * @throws LimitExceeded if the queue of this user, of this organization or of the workload is full, if no connection was
 *   free in time, or if an expensive operation was cut off for users who used less
 */
export async function limitedTransaction<T>(
  db: Database,
  actor: Actor,
  work: (trx: Transaction) => Promise<T>,
  workload: Workload = 'general',
): Promise<T> {
  if (workload === 'expensive') {
    const wait = startWait('patientLeftMs');
    const patientMs = wait.leftMs();
    const isBulk = isBulkWork();
    const terms = {
      usualMs: wait.usualLeftMs(),
      isBulk,
      ...(wait.isPatient && { patientMs }),
      ...(wait.isPatient && !isBulk && { ownMs: patientMs }),
    };
    return await limiters.expensive(accountsOf(actor, workload), terms, (cutOff) => {
      wait.end();
      return cancellableTransaction(db, actor, cutOff, work).catch((error: unknown) => {
        throw cutOff.aborted
          ? new LimitExceeded(
              'time of expensive operations while others wait',
              'unavailable',
              retryAfter(patientMs),
            )
          : toQuotaError(error, actor);
      });
    });
  }
  return await runQuick(db, actor, work, accountsOf(actor, workload), workload);
}

/**
 * Connections that requests without an account hold concurrently: in all organizations, in the one that they name, and from one
 * network, whose queue leaves most places in that of all visitors to other networks.
 */
const visitorConnections = { total: 4, perOrganization: 2, perNetwork: 2, maxQueuedPerNetwork: 20 };

/**
 * `limitedTransaction` for requests of people without an account, who name any organization: what they use is not debited to
 * its members, and they leave most connections to these.
 */
export const visitorTransaction = <T>(
  db: Database,
  organizationId: string,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> => {
  const { total, perOrganization, perNetwork, maxQueuedPerNetwork } = visitorConnections;
  const accounts = [
    { id: 'visitors', maxConcurrent: total },
    { id: `visitors of ${organizationId}`, maxConcurrent: perOrganization },
    { id: `visitors from ${currentNetwork()}`, maxConcurrent: perNetwork, maxQueued: maxQueuedPerNetwork },
  ];
  return runQuick(db, { organizationId }, work, accounts, 'general');
};

async function runQuick<T>(
  db: Database,
  actor: Actor,
  work: (trx: Transaction) => Promise<T>,
  accounts: readonly Account[],
  workload: Exclude<Workload, 'expensive'>,
): Promise<T> {
  const wait = startWait();
  const ownWait = startWait('patientLeftMs');
  const isBulk = isBulkWork();
  const waitsForOwn = ownWait.isPatient && !isBulk && actor.userId !== undefined;
  const terms = { usualMs: wait.leftMs(), isBulk, ...(waitsForOwn && { ownMs: ownWait.leftMs() }) };
  return await limiters[workload](accounts, terms, () => {
    // Who waited longer than usual has waited for own requests, which leaves the usual time for others.
    if (wait.leftMs() > 0) wait.end();
    else ownWait.end();
    return transactionAs(db, actor, work).catch((error: unknown) => {
      throw toQuotaError(error, actor);
    });
  });
}

/**
 * Bulk work is debited to separate accounts with half of the connections, and is among those that the organization holds
 * in all.
 */
function accountsOf({ userId, organizationId }: Actor, workload: Workload): Account[] {
  const { connections, perPerson, perOrganization } = workloads[workload];
  const organization = { id: `organization ${organizationId}`, maxConcurrent: perOrganization };
  const accounts: Account[] = [];
  if (userId !== undefined) accounts.push({ id: `user ${userId}`, maxConcurrent: perPerson });
  if (organizationId !== undefined) accounts.push(organization);
  if (accounts.length === 0) accounts.push({ id: 'nobody', maxConcurrent: connections });
  if (!isBulkWork()) return accounts;
  const ofBulk = accounts.map(({ id, maxConcurrent }) => ({
    id: `bulk of ${id}`,
    maxConcurrent: Math.ceil(maxConcurrent / 2),
  }));
  return organizationId === undefined ? ofBulk : [...ofBulk, { ...organization, isUndebited: true }];
}

/** Raised by `count_stored_bytes` in db/functions/owners.sql; its detail is the limit in megabytes. */
const beyondContentQuota = 'RO001';

/** @returns 409 `quota_exceeded` for texts beyond the limit of the organization; other errors as they are */
function toQuotaError(error: unknown, { organizationId }: Actor): unknown {
  if (!(error instanceof DatabaseError) || error.code !== beyondContentQuota) return error;
  const limit = Number(error.detail);
  return quotaExceeded({ quota: 'content_megabytes', limit, used: limit }, organizationId);
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
