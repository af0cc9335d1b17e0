import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { keepJob, recordProgress } from '../../platform/jobs/enqueue-job.ts';
import {
  handleJobs,
  JobFailed,
  JobInterrupted,
  RetryLater,
  type Job,
  type JobHandler,
} from '../../platform/jobs/job-kind.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { describeFailure, type DescribedFailure } from '../../content/directus/describe-failure.ts';
import { listContactFields, openContacts } from '../../content/gateway/contact-collection.ts';
import { CannotRead, readContacts } from './read-contacts.ts';
import {
  deleteContacts,
  deleteReading,
  findReadingRow,
  lockReading,
  updateReading,
  type ReadingKey,
  type ReadingRow,
} from './readings.queries.ts';
import { keptForNumbersMs, keptForSendMs, readingJobs, readingRemovalJobs, removeLater } from './readings.ts';

/** Callbacks for the send that a reading belongs to. */
export interface ReadingSends {
  /** Whether the send still waits for its contacts. Locks the send until the transaction ends. */
  isWaiting: (trx: Transaction, sendId: string) => Promise<boolean>;
  /** Called when the contacts have been read, or reading has failed permanently. */
  onEnd: (trx: Transaction, sendId: string) => Promise<void>;
  /** Called when the contacts cannot be read for now. @param reason  text to show to users */
  onDelay: (trx: Transaction, sendId: string, reason: string) => Promise<void>;
}

export interface ReadingDeps extends DirectusDeps {
  db: Database;
  sends: ReadingSends;
}

type ReadingJob = Job<{ reading_id: string }>;

/** Few attempts, because a user is waiting for the numbers and should see an error soon. */
const attemptsForNumbers = 3;

/** Runs two readings per organization concurrently, so that a large one does not delay a send. */
export const handleReadings = (deps: ReadingDeps): JobHandler =>
  handleJobs(readingJobs, {
    run: (job, signal) => runReading(deps, job, signal),
    giveUp: async (job) => await fail(deps, job, undefined),
    // Attempts without progress in between: about 90 minutes.
    maxAttempts: 16,
    delaysMs: [1_000, 5_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000],
    concurrency: 4,
    perOrganization: 2,
  });

const contactsAtOnce = 5_000;

export const handleReadingRemovals = ({ db }: Pick<ReadingDeps, 'db'>): JobHandler =>
  handleJobs(readingRemovalJobs, {
    run: async (job, signal) => {
      const key = keyOfJob(job);
      await inOrganization(db, key.organizationId, async (trx) => {
        // Locking waits until a transaction that uses the contacts has ended.
        if ((await lockReading(trx, key)) !== undefined) await updateReading(trx, key, { state: 'over' });
      });
      for (let deleted = contactsAtOnce; deleted === contactsAtOnce;)
        deleted = await inOrganization(db, key.organizationId, async (trx) => {
          if (signal.aborted || !(await keepJob(trx, job))) throw new JobInterrupted();
          return await deleteContacts(trx, key, contactsAtOnce);
        });
      await inOrganization(db, key.organizationId, (trx) => deleteReading(trx, key));
    },
    maxAttempts: 20,
    delaysMs: [1_000, 60_000, 600_000, 3_600_000],
    concurrency: 1,
    perOrganization: 1,
  });

function keyOfJob({ organizationId, payload }: ReadingJob): ReadingKey {
  if (organizationId === null) throw new JobFailed('Contacts belong to an organization.');
  return { organizationId, readingId: payload.reading_id };
}

async function runReading(deps: ReadingDeps, job: ReadingJob, signal: AbortSignal): Promise<void> {
  const key = keyOfJob(job);
  const run = <T>(work: (trx: Transaction) => Promise<T>) =>
    inOrganization(deps.db, key.organizationId, work);
  /** The reading, unless it is no longer needed. */
  const current = (trx: Transaction) => lockCurrent(deps, trx, key);
  const reading = await run(current);
  if (reading === undefined) return;
  const step = (work: (trx: Transaction) => Promise<void>) =>
    run(async (trx) => {
      if (signal.aborted || !(await recordProgress(trx, job))) throw new JobInterrupted();
      if ((await current(trx)) === undefined) return undefined;
      await work(trx);
      const after = await lockReading(trx, key);
      if (after?.state === 'ready') await end(deps, trx, after);
      return after?.state === 'reading' ? after : undefined;
    });
  try {
    const backend = await openContacts(deps, key.organizationId, reading.endpoint, run, {
      isAwaited: false,
    });
    const fields = await run((trx) => listContactFields(trx, key.organizationId, reading));
    const type = fields.find(({ name }) => name === 'id')?.type;
    const isOrdered = type === 'integer' || type === 'bigInteger';
    await readContacts({ reading, backend, secrets: deps.secrets, isOrdered, step });
  } catch (error) {
    const failure = toFailure(error);
    if (failure === undefined) throw error;
    const isLast = reading.send_id === null && job.attempts >= attemptsForNumbers;
    if (failure.isLasting || isLast) return await fail(deps, job, failure);
    await run(async (trx) => {
      if ((await current(trx)) === undefined) return;
      const { failure: kind, message } = failure;
      await updateReading(trx, key, { failure: kind, error_content: message });
      if (reading.send_id !== null) await deps.sends.onDelay(trx, reading.send_id, message);
    });
    throw new RetryLater(`The content backend could not be read (${failure.failure}).`);
  }
}

/**
 * Locks the send, then its reading: the same order as when a send is prepared.
 * @returns undefined if the reading is no longer needed
 */
async function lockCurrent(
  { sends }: ReadingDeps,
  trx: Transaction,
  key: ReadingKey,
): Promise<ReadingRow | undefined> {
  const sendId = (await findReadingRow(trx, key))?.send_id ?? null;
  const isWanted = sendId === null || (await sends.isWaiting(trx, sendId));
  const reading = await lockReading(trx, key);
  if (reading?.state !== 'reading') return undefined;
  if (isWanted) return reading;
  await updateReading(trx, key, { state: 'over' });
  await removeLater(trx, key, 0);
  return undefined;
}

async function end({ sends }: ReadingDeps, trx: Transaction, reading: ReadingRow): Promise<void> {
  const { organization_id, id, send_id } = reading;
  const key = { organizationId: organization_id, readingId: id };
  await removeLater(trx, key, send_id === null ? keptForNumbersMs : keptForSendMs);
  if (send_id !== null) await sends.onEnd(trx, send_id);
}

/** @param failure  undefined to use the last stored failure */
async function fail(
  deps: ReadingDeps,
  job: ReadingJob,
  failure: DescribedFailure | undefined,
): Promise<void> {
  const key = keyOfJob(job);
  await inOrganization(deps.db, key.organizationId, async (trx) => {
    const reading = await lockCurrent(deps, trx, key);
    if (reading === undefined) return;
    const noted = failure ?? {
      failure: reading.failure ?? 'unexpected',
      message: reading.error_content ?? 'The contacts could not be read.',
    };
    await updateReading(trx, key, {
      state: 'failed',
      failure: noted.failure,
      error_content: noted.message,
    });
    await end(deps, trx, reading);
  });
}

/** @returns undefined for an error that the backend did not cause */
const toFailure = (error: unknown): DescribedFailure | undefined =>
  error instanceof CannotRead
    ? { failure: 'unreadable', message: error.message, isLasting: true }
    : describeFailure(error);
