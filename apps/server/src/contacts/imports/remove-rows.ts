import { inOrganization } from '../../platform/database/database.ts';
import type { DeleteBatchOf } from '../../platform/database/delete-rows.ts';
import { keepJob } from '../../platform/jobs/enqueue-job.ts';
import { JobFailed, JobInterrupted } from '../../platform/jobs/job-kind.ts';
import type { ImportJob, ImportRun } from './import.ts';
import type { ImportKey } from './imports.queries.ts';

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
