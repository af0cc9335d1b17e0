import { checkedImportStatus, hasImportEnded } from '@reachout/contract/states/import.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { handleJobs, type JobHandler } from '../../platform/jobs/job-kind.ts';
import { findFields } from '../../content/built-in/collections.queries.ts';
import { countUpserts } from '../../content/built-in/upsert-items.queries.ts';
import { ImportPace } from './import-pace.ts';
import { partRows, rejectionRows } from './erase-imports.ts';
import { importFileJobs, importJobs, type ImportDeps, type ImportJob, type ImportRun } from './import.ts';
import { deleteChecked } from './import-file.queries.ts';
import { listAudienceFields, listUnsubscribedFields, lockImport } from './imports.queries.ts';
import { recordBatch } from './import-batch.ts';
import { keyOfJob, removeRows, giveUp, runImport } from './run-import.ts';
import type { HandleBatch, ImportTarget } from './import-file.ts';
import { separateBeyondQuota, storeBatch } from './store-batch.ts';

/**
 * Runs imports sequentially per worker; two of one organization may run on two workers.
 * @param pace  throttles imports; by default they run at full speed
 */
export const handleImports = ({
  pace = new ImportPace(),
  ...deps
}: Omit<ImportRun, 'job' | 'signal' | 'pace'> & { pace?: ImportPace }): JobHandler =>
  handleJobs(importJobs, {
    run: (job, signal) => runImport({ ...deps, pace, job, signal }, () => openBuiltIn(deps)),
    giveUp: (job) => giveUp(deps, job),
    // Attempts without progress in between.
    maxAttempts: 10,
    delaysMs: [1_000, 5_000, 30_000, 60_000, 300_000],
    concurrency: 1,
    perOrganization: 2,
  });

/** Target for a collection of the built-in backend, where a batch is one transaction. */
const openBuiltIn = ({ db }: ImportDeps): ImportTarget => ({
  describe: ({ organization_id: organizationId, collection }) =>
    inOrganization(db, organizationId, async (trx) => {
      const fields = await findFields(trx, organizationId, collection);
      const protectedFields = await listUnsubscribedFields(trx, organizationId, collection);
      const audienceFields = await listAudienceFields(trx, organizationId, collection);
      return fields && { fields, protectedFields, audienceFields };
    }),
  maxRows: 4_000,
  check: createCheck,
  store: storeBatch,
  explain: () => undefined,
});

/** Removes the file of an abandoned import; for one that was never started or was deleted, also its rejected rows. */
export const handleImportFiles = ({ db }: Pick<ImportDeps, 'db'>): JobHandler =>
  handleJobs(importFileJobs, {
    run: async (job, signal) => {
      const left = await deleteUnstarted(db, job);
      if (left === 'nothing') await removeRows({ db, job, signal }, rejectionRows);
      if (left !== 'all') await removeRows({ db, job, signal }, partRows);
    },
    maxAttempts: 10,
    delaysMs: [60_000, 3_600_000],
    concurrency: 1,
    perOrganization: 1,
  });

/** @returns which part of an import to keep */
async function deleteUnstarted(db: Database, job: ImportJob): Promise<'nothing' | 'what it came to' | 'all'> {
  const key = keyOfJob(job);
  return await inOrganization(db, key.organizationId, async (trx) => {
    const row = await lockImport(trx, key);
    if (row?.status === checkedImportStatus) await deleteChecked(trx, key);
    if (row === undefined || row.status === checkedImportStatus) return 'nothing';
    return hasImportEnded(row) ? 'what it came to' : 'all';
  });
}

/**
 * Counts what storing the batches of a file would do and stores the rejected rows. Does not change items.
 * @throws JobInterrupted if another worker has taken over or the import was deleted
 */
function createCheck(): HandleBatch {
  let planned = 0;
  return async ({ db, job, pace }, open, expectedByte, batch) => {
    await inOrganization(db, open.target.organizationId, async (trx) => {
      const { rows, beyond } = await separateBeyondQuota(trx, open, batch, planned);
      const counts = await countUpserts(trx, open.target, rows);
      const outcome = { ...counts, rejections: beyond, yieldsToSends: pace.yieldsToSends };
      await recordBatch(trx, open, { job, expectedByte, batch }, outcome);
      planned += counts.created;
    });
  };
}
