import { importError, type ImportError } from '@reachout/contract/rules/import-errors.ts';
import { checkingImportStatus } from '@reachout/contract/states/import.ts';
import { DatabaseError } from 'pg';
import { inOrganization, type Transaction } from '../../platform/database/database.ts';
import { enqueueJob, keepJob } from '../../platform/jobs/enqueue-job.ts';
import { JobInterrupted, RetryLater, JobFailed } from '../../platform/jobs/job-kind.ts';
import { lockFields } from '../../content/built-in/fields.queries.ts';
import {
  ImportFailed,
  importFileJobs,
  keptCheckMs,
  keptFileMs,
  type ImportDeps,
  type ImportJob,
  type ImportRow,
  type ImportRun,
} from './import.ts';
import { rejectionRows } from './erase-imports.ts';
import { deleteParts, deleteUpload } from './import-file.queries.ts';
import {
  endCheck,
  endImport,
  requeueImport,
  resetCounts,
  startImport,
  type ImportEnd,
} from './import-progress.queries.ts';
import { findImport, noteDelay, type ImportKey } from './imports.queries.ts';
import { importFile, type ImportTarget } from './import-file.ts';
import type { DeleteBatchOf } from '../../platform/database/delete-rows.ts';

/**
 * Runs a check or an import.
 * @throws JobInterrupted if the worker stops or has lost the import to another worker; any other error may be temporary,
 *   such as an unreachable database
 */
export async function runImport(
  run: ImportRun,
  openTarget: (row: ImportRow) => Promise<ImportTarget> | ImportTarget,
): Promise<void> {
  const { db, log, job } = run;
  const key = keyOfJob(job);
  const inTenant = <T>(work: (trx: Transaction) => Promise<T>) =>
    inOrganization(db, key.organizationId, work);
  const row = await inTenant(async (trx) => {
    const started = await startImport(trx, key);
    // Either a concurrent field change ends before the fields are read, or it sees the running import and is rejected.
    if (started?.endpoint === null)
      await lockFields(trx, { ...key, collection: started.collection }, 'write items');
    return started;
  });
  if (row === undefined) return await inTenant((trx) => deleteUpload(trx, key));
  const isCheck = row.status === checkingImportStatus;
  if (isCheck) await inTenant((trx) => resetCounts(trx, key));
  // The rejections of a check are not part of the import's result, or of the next check's.
  if (isCheck || row.bytes_done === 0) await removeRows(run, rejectionRows);
  // `end` and `endChecked` store nothing if the worker has lost the import.
  const end = (outcome: ImportEnd) =>
    inTenant(async (trx) => {
      if (!(await keepJob(trx, job))) return;
      await endImport(trx, key, outcome);
      await deleteParts(trx, key);
    });
  const endChecked = () =>
    inTenant(async (trx) => {
      if (!(await keepJob(trx, job))) return;
      await endCheck(trx, key);
      const file = { key: key.importId, payload: job.payload, delayMs: keptCheckMs };
      await enqueueJob(trx, importFileJobs, { organizationId: key.organizationId, ...file });
    });
  let target: ImportTarget | undefined;
  try {
    target = await openTarget(row);
    if (isCheck) {
      const begun = { ...row, ...atBeginning };
      if (await importFile(run, begun, target, target.check())) return await endChecked();
    } else if (await importFile(run, row, target, target.store)) return await end({ status: 'completed' });
  } catch (error) {
    const failure = target?.explain(error);
    const lasting = permanentError(error) ?? (failure?.isLasting === true ? failure.error : undefined);
    if (lasting === undefined && failure !== undefined) {
      await inTenant((trx) => noteDelay(trx, key, failure.error));
      throw new RetryLater('The content backend could not be used.');
    }
    // Any other error may be temporary, such as an unreachable database.
    if (lasting === undefined) throw error;
    if (!(error instanceof ImportFailed) && failure === undefined)
      log.error({ err: error, import: row.id }, 'import failed');
    return await end({ status: 'failed', error: lasting });
  }
  await inTenant(async (trx) => {
    if (await keepJob(trx, job)) await requeueImport(trx, key);
  });
  throw new JobInterrupted();
}

/** After an interruption, a check reads the whole file again, because it has stored nothing. */
const atBeginning = { bytes_done: 0, line_done: 0, rows_done: 0 };

/** Fails an import after its last attempt. Keeps the file for `keptFileMs`, so that an operator can resume the import. */
export async function giveUp({ db }: ImportDeps, job: ImportJob): Promise<void> {
  const key = keyOfJob(job);
  await inOrganization(db, key.organizationId, async (trx) => {
    const noted = await findImport(trx, key.organizationId, key.importId);
    if ((await startImport(trx, key)) === undefined) return;
    await endImport(trx, key, { status: 'failed', error: noted?.error ?? importError('given_up') });
    const file = { key: key.importId, payload: job.payload, delayMs: keptFileMs };
    await enqueueJob(trx, importFileJobs, { organizationId: key.organizationId, ...file });
  });
}

/** @returns why an import has failed permanently; undefined if it may be retried */
function permanentError(error: unknown): ImportError | undefined {
  if (error instanceof ImportFailed) return error.error;
  // Invalid data, violated constraints, limits, faulty statements: a retry would fail in the same way.
  if (error instanceof DatabaseError && /^(22|23|42|54)/.test(error.code ?? '')) {
    return importError('not_stored');
  }
  return undefined;
}

export function keyOfJob({ organizationId, payload }: ImportJob): ImportKey {
  if (organizationId === null) throw new JobFailed('An import belongs to an organization.');
  return { organizationId, importId: payload.import_id };
}

/** Rows per transaction: a file may have a million rejected rows. */
const batchRows = 2_000;

/** Deletes rows of an import in batches. @throws JobInterrupted if the worker stops or has lost the job to another worker */
export async function removeRows(
  { db, job, signal }: Pick<ImportRun, 'db' | 'job' | 'signal'>,
  deleteBatch: DeleteBatchOf,
): Promise<void> {
  const { organizationId, importId } = keyOfJob(job);
  for (let deleted = batchRows; deleted === batchRows;)
    deleted = await inOrganization(db, organizationId, async (trx) => {
      if (signal.aborted || !(await keepJob(trx, job))) throw new JobInterrupted();
      return await deleteBatch(trx, { organization_id: organizationId, import_id: importId }, batchRows);
    });
}
