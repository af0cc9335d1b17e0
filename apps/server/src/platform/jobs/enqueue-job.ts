import { notifyWorkers } from '../database/notify.ts';
import type { Transaction } from '../database/database.ts';
import { newId } from '../ids.ts';
import { LimitExceeded } from '../limit-exceeded.ts';
import type { Job, JobKind } from './job-kind.ts';
import { countOpenJobs, deleteOpenJob, hastenOpenJob, insertJob, isOpenJob } from './jobs.queries.ts';
import { extendLease } from './leases.queries.ts';

export interface NewJob<Payload> {
  /** The organization of the transaction; null for work of the installation itself. */
  organizationId: string | null;
  /** What the job is about: at most one job per kind and key is open. */
  key: string;
  payload: Payload;
  /** Delay before the first attempt; 0 if unset. */
  delayMs?: number;
}

/**
 * Enqueues a job that runs after this transaction has committed. Does nothing while a job with this key is open. The
 * limit is checked without a lock: concurrent transactions may each exceed it by one.
 * @throws LimitExceeded when `maxOpen` jobs of this kind are open
 */
export async function enqueueJob<Payload>(
  trx: Transaction,
  { name, maxOpen, atLimit }: JobKind<Payload>,
  { organizationId, key, payload, delayMs = 0 }: NewJob<Payload>,
): Promise<void> {
  if ((await countOpenJobs(trx, { organizationId, kind: name, maxCount: maxOpen })) >= maxOpen)
    throw new LimitExceeded(`open jobs, ${name}`, atLimit, {}, { organizationId });
  await insertJob(trx, { id: newId(), organizationId, kind: name, key, payload, delayMs });
  if (delayMs === 0) await notifyWorkers(trx);
}

interface JobKey {
  organizationId: string;
  key: string;
}

/** @returns whether a job of an organization is waiting or running */
export const isJobOpen = (
  trx: Transaction,
  { name }: Pick<JobKind<unknown>, 'name'>,
  { organizationId, key }: JobKey,
): Promise<boolean> => isOpenJob(trx, { organizationId, kind: name, key });

/** Makes an open job of an organization due immediately. */
export async function hastenJob(
  trx: Transaction,
  { name }: Pick<JobKind<unknown>, 'name'>,
  { organizationId, key }: JobKey,
): Promise<void> {
  await hastenOpenJob(trx, { organizationId, kind: name, key });
  await notifyWorkers(trx);
}

/** Cancels an open job of an organization. */
export const cancelJob = (
  trx: Transaction,
  { name }: Pick<JobKind<unknown>, 'name'>,
  { organizationId, key }: JobKey,
): Promise<void> => deleteOpenJob(trx, { organizationId, kind: name, key });

/**
 * Keeps the job in the transaction of a step that its next attempt would take again: its attempts go on being counted.
 * @returns false if another worker has taken over the job; the transaction must then be rolled back
 */
export const keepJob = (trx: Transaction, job: Job<unknown>): Promise<boolean> => extendLease(trx, job);

/**
 * `keepJob` in the transaction that stores a step of which the next attempt begins, and resets the attempts of the job, but
 * not the deaths of its workers: three of them end it, whatever its steps.
 */
export const recordProgress = (trx: Transaction, job: Job<unknown>): Promise<boolean> =>
  extendLease(trx, job, { attempts: 1 });
