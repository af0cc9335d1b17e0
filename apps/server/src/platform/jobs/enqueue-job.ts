import { notifyWorkers } from '../database/notify.ts';
import type { Transaction } from '../database/database.ts';
import { newId } from '../ids.ts';
import { LimitExceeded } from '../limit-exceeded.ts';
import type { Job, JobKind } from './job-kind.ts';
import { countOpenJobs, deleteOpenJob, hastenOpenJob, insertJob, isOpenJob } from './jobs.queries.ts';
import { extendLease } from './leases.queries.ts';

export interface NewJob<Payload> {
  /** That of the transaction; null for work of the installation itself. */
  organizationId: string | null;
  /** What the job is about: of its kind, one job for each key is open. */
  key: string;
  payload: Payload;
  /** How long it waits at first; 0 if unset. */
  delayMs?: number;
}

/**
 * Enqueues a job that runs once this transaction has committed. Does nothing while one with this key is open. The bound
 * is looked at without a lock: transactions at the same moment may each add one beyond it.
 * @throws LimitExceeded when as many jobs of this kind are open as there may be
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

/** Whether a job of an organization waits or runs. */
export const isJobOpen = (
  trx: Transaction,
  { name }: Pick<JobKind<unknown>, 'name'>,
  { organizationId, key }: JobKey,
): Promise<boolean> => isOpenJob(trx, { organizationId, kind: name, key });

/** Makes an open job of an organization due at once. */
export async function hastenJob(
  trx: Transaction,
  { name }: Pick<JobKind<unknown>, 'name'>,
  { organizationId, key }: JobKey,
): Promise<void> {
  await hastenOpenJob(trx, { organizationId, kind: name, key });
  await notifyWorkers(trx);
}

/** Takes back an open job of an organization. */
export const cancelJob = (
  trx: Transaction,
  { name }: Pick<JobKind<unknown>, 'name'>,
  { organizationId, key }: JobKey,
): Promise<void> => deleteOpenJob(trx, { organizationId, kind: name, key });

/**
 * In a transaction that stores a step of a job: the job made progress, so that its attempts count from here.
 * @returns false when the job belongs to another worker by now: then nothing of the step may be committed
 */
export const recordProgress = (trx: Transaction, job: Job<unknown>): Promise<boolean> =>
  extendLease(trx, job.id, job.leaseToken);
