import { ORPCError } from '@orpc/contract';
import type { Change } from '../../clients/outbox/change.ts';
import { openOutbox, type Outbox } from '../../clients/outbox/outbox.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { recordProgress } from '../../platform/jobs/enqueue-job.ts';
import { JobInterrupted, RetryLater, type Job } from '../../platform/jobs/job-kind.ts';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import { openDirectus, type DirectusDeps } from '../directus/connection.ts';
import type { DirectusClient } from '../directus/directus-client.ts';
import { DirectusError, InvalidCall, toErrorContent } from '../directus/directus-error.ts';
import { readCopies } from './copies.queries.ts';
import { writeToBuiltIn, writeToDirectus } from './write-copy.ts';

/** Number of changes by result since the worker started. */
export type MirrorCounts = Record<'written' | 'rejected' | 'failed', number>;

export interface MirrorDeps extends DirectusDeps {
  /** Opens a transaction of the organization. */
  run: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  counts: MirrorCounts;
}

/**
 * Writes changed records to an organization's content backend: to the built-in one within a transaction, to
 * a Directus outside transactions.
 * @throws RetryLater if a change must be written again
 */
export async function mirrorChanges(
  deps: MirrorDeps,
  organizationId: string,
  job: Job<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const { run } = deps;
  const client = await openDirectus(deps, organizationId, run, noRetries);
  const outbox = await run((trx) => openOutbox(trx, organizationId));
  const mirror = { organizationId, outbox, job, client, signal };
  let rejected = 0;
  for (;;) {
    const changes = await run(outbox.listChanges);
    if (changes.length === 0) break;
    for (const change of changes) {
      if (signal.aborted) throw new JobInterrupted();
      if (!(await mirrorOne(deps, mirror, change))) rejected += 1;
    }
  }
  if (rejected > 0) throw new RetryLater('The content backend does not take some records.');
}

/** No retries here: the job itself is retried with increasing delays. */
const noRetries = { attempts: 1, waitMs: 0, untilMs: 0 };

interface Mirror {
  organizationId: string;
  outbox: Outbox;
  job: Job<unknown>;
  /** Undefined for the built-in backend. */
  client: DirectusClient | undefined;
  signal: AbortSignal;
}

/** @returns false if the backend rejects the change @throws RetryLater if the backend is unavailable for now */
async function mirrorOne(
  { run, counts }: MirrorDeps,
  { organizationId, outbox, job, client, signal }: Mirror,
  change: Change,
): Promise<boolean> {
  const settle = async (trx: Transaction) => {
    // Same lock order as a user's retry of all changes: the changes, then the job.
    await outbox.settle(trx, change);
    if (!(await recordProgress(trx, job))) throw new JobInterrupted();
  };
  try {
    if (client === undefined) {
      await run(async (trx) => {
        for (const copy of await readCopies(trx, organizationId, change))
          await writeToBuiltIn(trx, organizationId, copy);
        await settle(trx);
      });
    } else {
      for (const copy of await run((trx) => readCopies(trx, organizationId, change))) {
        if (signal.aborted) throw new JobInterrupted();
        await writeToDirectus(client, copy);
      }
      await run(settle);
    }
    counts.written += 1;
    return true;
  } catch (error) {
    const isRejected = isRejection(error);
    if (!isRejected && !isOutage(error)) throw error;
    const errorContent = error instanceof ORPCError ? error.message : toErrorContent(error);
    await run((trx) => outbox[isRejected ? 'reject' : 'delay'](trx, change, errorContent));
    counts[isRejected ? 'rejected' : 'failed'] += 1;
    if (isRejected) return false;
    throw new RetryLater(
      `The content backend cannot be used: ${error instanceof DirectusError ? error.failure : 'busy'}.`,
    );
  }
}

/** The backend is available but rejects this record. */
const isRejection = (error: unknown): boolean =>
  error instanceof ORPCError ||
  error instanceof InvalidCall ||
  (error instanceof DirectusError && ['rejected', 'not_allowed', 'licence'].includes(error.failure));

const isOutage = (error: unknown): boolean =>
  error instanceof DirectusError || error instanceof LimitExceeded;
