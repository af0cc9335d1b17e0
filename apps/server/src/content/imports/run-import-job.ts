import { importError, type ImportError } from '@reachout/contract/rules/import-errors.ts';
import { checkingImportStatus } from '@reachout/contract/states/import.ts';
import { DatabaseError } from 'pg';
import { inOrganization, type Transaction } from '../../platform/database/database.ts';
import { enqueueJob, recordProgress } from '../../platform/jobs/enqueue-job.ts';
import { JobInterrupted, RetryLater } from '../../platform/jobs/job-kind.ts';
import { lockFields } from '../built-in/fields.queries.ts';
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
import { findImport, noteDelay } from './imports.queries.ts';
import { keyOfJob, removeRows } from './remove-rows.ts';
import { importFile, type ImportTarget } from './run-import.ts';

/**
 * @throws JobInterrupted where the worker stops, or has lost the import to another; any other error may pass, such as
 *   those of a database that is away
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
    // The fields are read after their change, or the change sees that the import runs, and is refused.
    if (started?.endpoint === null)
      await lockFields(trx, { ...key, collection: started.collection }, 'write items');
    return started;
  });
  if (row === undefined) return await inTenant((trx) => deleteUpload(trx, key));
  const isCheck = row.status === checkingImportStatus;
  if (isCheck) await inTenant((trx) => resetCounts(trx, key));
  // What a check has found is no result of the import, nor of the next check.
  if (isCheck || row.bytes_done === 0) await removeRows(run, rejectionRows);
  // Both store nothing where the worker has lost the import.
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
    // Anything else, such as a database that is away, may pass.
    if (lasting === undefined) throw error;
    if (!(error instanceof ImportFailed) && failure === undefined)
      log.error({ err: error, import: row.id }, 'import failed');
    return await end({ status: 'failed', error: lasting });
  }
  await inTenant(async (trx) => {
    if (await recordProgress(trx, job)) await requeueImport(trx, key);
  });
  throw new JobInterrupted();
}

/** A check reads the whole file once more after an interruption: it has stored nothing. */
const atBeginning = { bytes_done: 0, line_done: 0, rows_done: 0 };

/** The file stays for a while: an operator can let the import go on. */
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

/** Why an import has failed for good; undefined when it may be tried again. */
function permanentError(error: unknown): ImportError | undefined {
  if (error instanceof ImportFailed) return error.error;
  // Bad data, broken constraints, limits, faulty statements: the same would happen again and again.
  if (error instanceof DatabaseError && /^(22|23|42|54)/.test(error.code ?? '')) {
    return importError('not_stored');
  }
  return undefined;
}
