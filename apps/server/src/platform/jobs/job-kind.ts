import type { ErrorCode } from '@reachout/contract/errors.ts';
import type { z } from 'zod';
import type { JobRow } from './leases.queries.ts';

/** What those who enqueue jobs of a kind and the worker that runs them agree upon. */
export interface JobKind<Payload> {
  /** Stored with each job; shown to operators. */
  name: string;
  /** Names records by their ids. It holds no data of people, which would outlive their erasure here. */
  payload: z.ZodType<Payload>;
  /**
   * Open jobs of one organization. The installation, whose jobs belong to none, counts as one more. One that has more
   * than 1,000 due jobs delays the others of this kind by the rest of them (`due_jobs`).
   */
  maxOpen: number;
  /** The code of the problem when there are as many. */
  atLimit: ErrorCode;
}

/** A leased job. */
export interface Job<Payload> {
  id: string;
  organizationId: string | null;
  key: string;
  payload: Payload;
  /** This one included. */
  attempts: number;
  /** How long the next attempt would wait if this one failed. */
  retryDelayMs: number;
  leaseToken: string;
}

export interface JobWork<Payload> {
  /**
   * Runs after the transaction that enqueued the job, perhaps more than once: its effect must not be.
   * @param signal  aborted when the worker is to stop, or has lost the job to another
   * @throws JobInterrupted where the signal ended it early: it counts as no attempt
   * @throws RetryLater for failures that are expected, JobFailed for those that no attempt would mend; any other error
   *   is logged, and retried
   */
  run: (job: Job<Payload>, signal: AbortSignal) => Promise<void>;
  /** Called when the job has failed for good, before it is marked as failed; perhaps more than once. */
  giveUp?: (job: Job<Payload>, reason: string) => Promise<void>;
  /** The last one fails the job. */
  maxAttempts: number;
  /** Before the second attempt, the third and so on; the last delay repeats. */
  delaysMs: readonly [number, ...number[]];
  /** Jobs of this kind that one worker runs at once. */
  concurrency: number;
  /** Jobs of one organization that all workers together run at once; the installation counts as one more. */
  perOrganization: number;
  /**
   * One job of the installation is always open and due again so long after each end. It never fails for good: after its
   * last attempt it waits for the next time, with the reason.
   */
  everyMs?: number;
}

/** The work of one kind, its payloads checked at the door. */
export interface JobHandler extends Pick<
  JobWork<unknown>,
  'maxAttempts' | 'concurrency' | 'perOrganization' | 'everyMs'
> {
  kind: { name: string };
  /** How long a job waits after this attempt, from 1. */
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

/** No attempt would mend it: the job has failed. The message is for operators, and names nobody. */
export class JobFailed extends Error {
  override name = 'JobFailed';
}

/** The job is tried again after its delay. The message is for operators, and names nobody. */
export class RetryLater extends Error {
  override name = 'RetryLater';
}

/** The signal ended the attempt early. The job goes on with the next worker at once. */
export class JobInterrupted extends Error {
  override name = 'JobInterrupted';
}
