import { ORPCError } from '@orpc/contract';
import type { Change } from '../../clients/outbox/change.ts';
import { openOutbox, giveUpChanges, type Outbox } from '../../clients/outbox/outbox.ts';
import { inOrganization, type Transaction, type Database } from '../../platform/database/database.ts';
import { recordProgress } from '../../platform/jobs/enqueue-job.ts';
import {
  JobInterrupted,
  RetryLater,
  handleJobs,
  JobFailed,
  type Job,
  type JobHandler,
} from '../../platform/jobs/job-kind.ts';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import { createBuiltInBackend } from '../built-in/built-in-backend.ts';
import { openDirectus, type DirectusDeps } from '../directus/connection.ts';
import type { DirectusClient } from '../directus/directus-client.ts';
import { DirectusError, InvalidCall, toErrorContent } from '../directus/directus-error.ts';
import { readCopies, type Copy } from './copies.queries.ts';
import { mirrorJobs } from '../../clients/outbox/mirror-jobs.ts';

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
async function mirrorChanges(
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

/**
 * Creates, updates or deletes a record's item in a Directus. Idempotent.
 * @throws DirectusError
 */
async function writeToDirectus(client: DirectusClient, { collection, id, item }: Copy): Promise<void> {
  if (item === null) return await removeFromDirectus(client, collection, id);
  try {
    await client.createItem(collection, { id, ...item });
  } catch (error) {
    if (!(error instanceof DirectusError && error.code === 'RECORD_NOT_UNIQUE')) throw error;
    // The conflict may be on another field, such as a template's name; the update then reports it.
    await client.updateItem(collection, id, item);
  }
}

async function removeFromDirectus(client: DirectusClient, collection: string, id: string): Promise<void> {
  try {
    await client.deleteItem(collection, id);
  } catch (error) {
    if (!isDenied(error) || (await isThere(client, collection, id))) throw error;
  }
}

/** Directus sends the same error for a missing item as for one that is not allowed. */
async function isThere(client: DirectusClient, collection: string, id: string): Promise<boolean> {
  const found = await client.readItems(collection, { filter: { id: { _eq: id } }, fields: ['id'], limit: 1 });
  return found.length > 0;
}

const isDenied = (error: unknown): error is DirectusError =>
  error instanceof DirectusError && error.failure === 'not_allowed';

/** Writes the copy to the built-in backend. Skips templates, which are already its items. */
async function writeToBuiltIn(
  trx: Transaction,
  organizationId: string,
  { collection, id, item }: Copy,
): Promise<void> {
  if (collection === 'reachout_templates') return;
  const backend = createBuiltInBackend(trx, { organizationId, userId: null });
  const isThereAlready = (await backend.countItems(collection, { filter: { id: { _eq: id } } })) > 0;
  if (item === null) {
    if (isThereAlready) await backend.deleteItem(collection, id);
  } else if (isThereAlready) await backend.updateItem(collection, id, item);
  else await backend.createItem(collection, { id, ...item });
}

interface MirrorJobDeps extends DirectusDeps {
  db: Database;
  counts: MirrorCounts;
}

/** Retries an unavailable Directus for about a day. */
export const handleMirror = ({ db, ...deps }: MirrorJobDeps): JobHandler =>
  handleJobs(mirrorJobs, {
    run: async (job, signal) => {
      const { organizationId } = job;
      if (organizationId === null) throw new JobFailed('A content backend belongs to an organization.');
      const run = <T>(work: (trx: Transaction) => Promise<T>) => inOrganization(db, organizationId, work);
      await mirrorChanges({ ...deps, run }, organizationId, job, signal);
    },
    giveUp: async ({ organizationId }) => {
      if (organizationId !== null)
        await inOrganization(db, organizationId, (trx) => giveUpChanges(trx, organizationId));
    },
    maxAttempts: 30,
    delaysMs: [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000],
    concurrency: 4,
    perOrganization: 1,
  });
