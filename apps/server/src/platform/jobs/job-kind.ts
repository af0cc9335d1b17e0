import type { ErrorCode } from '@reachout/contract/errors.ts';
import { z } from 'zod';
import type { JobRow } from './leases.queries.ts';

/** Definition of a kind of job, shared by the code that enqueues it and the worker that runs it. */
export interface JobKind<Payload> {
  /** Stored with each job; shown to operators. */
  name: string;
  /** Refers to records by id. It must not contain personal data, which would remain here after an erasure. */
  payload: z.ZodType<Payload>;
  /**
   * Maximum open jobs of one organization. The installation, whose jobs belong to no organization, counts as one more.
   * An organization with more than 1,000 due jobs delays the others of this kind by the excess (`due_jobs`).
   */
  maxOpen: number;
  /** Error code when `maxOpen` is reached. */
  atLimit: ErrorCode;
}

/** A leased job. */
export interface Job<Payload> {
  id: string;
  organizationId: string | null;
  key: string;
  payload: Payload;
  /** Includes the current one. */
  attempts: number;
  /** Delay before the next attempt if this one fails. */
  retryDelayMs: number;
  leaseToken: string;
}

export interface JobWork<Payload> {
  /**
   * Runs after the transaction that enqueued the job has committed, possibly more than once: it must be idempotent.
   * @param signal  aborted when the worker stops, or has lost the job to another worker
   * @throws JobInterrupted if the signal ended it early; this does not count as an attempt
   * @throws RetryLater for expected failures, JobFailed for failures that a retry cannot fix; any other error is
   *   logged, and the job is retried
   */
  run: (job: Job<Payload>, signal: AbortSignal) => Promise<void>;
  /** Called when the job has permanently failed, before it is marked as failed; possibly more than once. */
  giveUp?: (job: Job<Payload>, reason: string) => Promise<void>;
  /** If the last attempt fails, the job fails. */
  maxAttempts: number;
  /** Delays before the second attempt, the third and so on; the last one repeats. */
  delaysMs: readonly [number, ...number[]];
  /** Maximum concurrent jobs of this kind per worker. */
  concurrency: number;
  /** Maximum concurrent jobs of one organization over all workers; the installation counts as one more. */
  perOrganization: number;
  /**
   * Makes this a recurring job of the installation: one job is always open and due again this long after each end. It
   * never fails permanently: after its last attempt it keeps the reason and waits for the next run.
   */
  everyMs?: number;
}

/** The work of one kind; payloads are validated before it runs. */
export interface JobHandler extends Pick<
  JobWork<unknown>,
  'maxAttempts' | 'concurrency' | 'perOrganization' | 'everyMs'
> {
  kind: { name: string };
  /** Delay in milliseconds after this attempt, counted from 1. */
  delayOf: (attempts: number) => number;
  run: (row: JobRow, signal: AbortSignal) => Promise<void>;
  giveUp: (row: JobRow, reason: string) => Promise<void>;
}

export function handleJobs<Payload>(
  kind: JobKind<Payload>,
  { run, giveUp, delaysMs, ...limits }: JobWork<Payload>,
): JobHandler {
  const delayOf = (attempts: number) => delaysMs[Math.min(attempts, delaysMs.length) - 1] ?? delaysMs[0];
  const toJob = ({ organization_id, lease_token, ...row }: JobRow): Job<Payload> => {
    const payload = kind.payload.safeParse(row.payload);
    if (!payload.success) throw new JobFailed('The payload is not one of this kind.');
    return {
      id: row.id,
      organizationId: organization_id,
      key: row.key,
      payload: payload.data,
      attempts: row.attempts,
      retryDelayMs: delayOf(row.attempts),
      leaseToken: lease_token,
    };
  };
  return {
    ...limits,
    kind,
    delayOf,
    run: async (row, signal) => await run(toJob(row), signal),
    giveUp: async (row, reason) => await giveUp?.(toJob(row), reason),
  };
}

/**
 * Handles a recurring job of the installation: one worker at a time runs it, and what failed waits for the next run.
 * @param everyMs  from the end of a run to the next one
 */
export const handleRecurringJob = (name: string, everyMs: number, run: JobWork<object>['run']): JobHandler =>
  handleJobs<object>(
    { name, payload: z.strictObject({}), maxOpen: 1, atLimit: 'unavailable' },
    { run, everyMs, maxAttempts: 1, delaysMs: [60_000], concurrency: 1, perOrganization: 1 },
  );

/** Fails the job permanently: a retry would not help. The message is for operators and contains no personal data. */
export class JobFailed extends Error {
  override name = 'JobFailed';
}

/** Retries the job after its delay. The message is for operators and contains no personal data. */
export class RetryLater extends Error {
  override name = 'RetryLater';
}

/** The process that ran the job died. This counts like the death of its worker. */
export class JobProcessDied extends Error {
  override name = 'JobProcessDied';
}

/** The signal ended the attempt early. The job is due again immediately, for any worker. */
export class JobInterrupted extends Error {
  override name = 'JobInterrupted';
}
