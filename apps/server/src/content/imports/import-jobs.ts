import { importError, type ImportError } from '@reachout/contract/rules/import-errors.ts';
import { checkingImportStatus } from '@reachout/contract/states/import.ts';
import { DatabaseError } from 'pg';
import { inOrganization, type Transaction } from '../../platform/database/database.ts';
import { enqueueJob, recordProgress } from '../../platform/jobs/enqueue-job.ts';
import { handleJobs, JobFailed, JobInterrupted, type JobHandler } from '../../platform/jobs/job-kind.ts';
import { lockFields } from '../built-in/fields.queries.ts';
import {
  ImportFailed,
  importFileJobs,
  importJobs,
  keptCheckMs,
  keptFileMs,
  type ImportDeps,
  type ImportJob,
  type ImportRun,
} from './import.ts';
import {
  deleteFileOfEnded,
  deleteParts,
  deleteUpload,
  endCheck,
  endImport,
  requeueImport,
  resetCounts,
  startImport,
  type ImportEnd,
  type ImportKey,
} from './imports.queries.ts';
import { ImportPace } from './import-pace.ts';
import { importRows } from './run-import.ts';
import { createCheck } from './check-batch.ts';
import { storeBatch } from './store-batch.ts';

/**
 * Runs imports one after the other; two of one organization may run on two workers.
 * @param pace  without one they go as fast as they can
 */
export const handleImports = ({
  pace = new ImportPace(),
  ...deps
}: ImportDeps & { pace?: ImportPace }): JobHandler =>
  handleJobs(importJobs, {
    run: (job, signal) => runImport({ ...deps, pace, job, signal }),
    giveUp: (job) => giveUp(deps, job),
    // Without progress in between.
    maxAttempts: 10,
    delaysMs: [1_000, 5_000, 30_000, 60_000, 300_000],
    concurrency: 1,
    perOrganization: 2,
  });

function keyOfJob({ organizationId, payload }: ImportJob): ImportKey {
  if (organizationId === null) throw new JobFailed('An import belongs to an organization.');
  return { organizationId, importId: payload.import_id };
}

/**
 * @throws JobInterrupted where the worker stops, or has lost the import to another; any other error may pass, such as
 *   those of a database that is away
 */
async function runImport(run: ImportRun): Promise<void> {
  const { db, log, job } = run;
  const key = keyOfJob(job);
  const inTenant = <T>(work: (trx: Transaction) => Promise<T>) =>
    inOrganization(db, key.organizationId, work);
  const row = await inTenant(async (trx) => {
    const started = await startImport(trx, key);
    // The fields are read after their change, or the change sees that the import runs, and is refused.
    if (started !== undefined)
      await lockFields(trx, { ...key, collection: started.collection }, 'write items');
    return started;
  });
  if (row === undefined) return await inTenant((trx) => deleteUpload(trx, key));
  /** Nothing is stored by a worker that has lost the import. */
  if (row.status === checkingImportStatus) await inTenant((trx) => resetCounts(trx, key));
  const isCheck = row.status === checkingImportStatus;
  const end = (outcome: ImportEnd) =>
    inTenant(async (trx) => {
      if (!(await recordProgress(trx, job))) return;
      await endImport(trx, key, outcome);
      await deleteParts(trx, key);
    });
  const endChecked = () =>
    inTenant(async (trx) => {
      if (!(await recordProgress(trx, job))) return;
      await endCheck(trx, key);
      const file = { key: key.importId, payload: job.payload, delayMs: keptCheckMs };
      await enqueueJob(trx, importFileJobs, { organizationId: key.organizationId, ...file });
    });
  try {
    if (isCheck) {
      if (await importRows(run, { ...row, ...atBeginning }, createCheck())) return await endChecked();
    } else if (await importRows(run, row, storeBatch)) return await end({ status: 'completed' });
  } catch (error) {
    const lasting = permanentError(error);
    // Anything else, such as a database that is away, may pass.
    if (lasting === undefined) throw error;
    if (!(error instanceof ImportFailed)) log.error({ err: error, import: row.id }, 'import failed');
    return await end({ status: 'failed', error: lasting });
  }
  await inTenant(async (trx) => {
    if (await recordProgress(trx, job)) await requeueImport(trx, key);
  });
  throw new JobInterrupted();
}

/** A check reads the whole file once more after an interruption: it has stored nothing. */
const atBeginning = { bytes_done: 0, line_done: 0, rows_done: 0 };

/** Removes the file of an import that was given up, or that nobody has started. */
export const handleImportFiles = ({ db }: ImportDeps): JobHandler =>
  handleJobs(importFileJobs, {
    run: async (job) => {
      const key = keyOfJob(job);
      await inOrganization(db, key.organizationId, (trx) => deleteFileOfEnded(trx, key));
    },
    maxAttempts: 10,
    delaysMs: [60_000, 3_600_000],
    concurrency: 1,
    perOrganization: 1,
  });

/** The file stays for a while: an operator can let the import go on. */
async function giveUp({ db }: ImportDeps, job: ImportJob): Promise<void> {
  const key = keyOfJob(job);
  await inOrganization(db, key.organizationId, async (trx) => {
    if ((await startImport(trx, key)) === undefined) return;
    await endImport(trx, key, { status: 'failed', error: importError('given_up') });
    const file = { key: key.importId, payload: job.payload, delayMs: keptFileMs };
    await enqueueJob(trx, importFileJobs, { organizationId: key.organizationId, ...file });
  });
}

/** Why an import has failed for good; undefined when it may be tried again. */
function permanentError(error: unknown): ImportError | undefined {
  if (error instanceof ImportFailed) return error.error;
  // Bad data, broken constraints, limits, faulty statements: the same would happen again and again.
  if (error instanceof DatabaseError && /^(22|23|42|54)/.test(error.code ?? '')) {
    return importError('not_stored');
  }
  return undefined;
}
