import { inOrganization } from '../../platform/database/database.ts';
import { recordProgress } from '../../platform/jobs/enqueue-job.ts';
import { JobInterrupted } from '../../platform/jobs/job-kind.ts';
import { countUpserts } from '../built-in/upsert-items.queries.ts';
import type { HandleBatch } from './run-import.ts';
import { advanceImport } from './import-progress.queries.ts';
import { insertRejections } from './import-rejections.queries.ts';
import { separateBeyondQuota } from './store-batch.ts';

/**
 * Counts what storing the batches of a file would do, and keeps what they reject. Items stay as they are.
 * @throws JobInterrupted when another worker has taken over, or the file was dropped
 */
export function createCheck(): HandleBatch {
  let planned = 0;
  return async ({ db, job, pace }, open, expectedByte, batch) => {
    const key = { organizationId: open.target.organizationId, importId: open.row.id };
    await inOrganization(db, key.organizationId, async (trx) => {
      const { rows, beyond } = await separateBeyondQuota(trx, open, batch, planned);
      const counts = await countUpserts(trx, open.target, rows);
      await insertRejections(trx, key, [...batch.rejections, ...beyond]);
      const rejected = batch.progress.rejected + beyond.length;
      const isOurs =
        (await advanceImport(trx, key, expectedByte, {
          ...batch.progress,
          ...counts,
          rejected,
          yieldsToSends: pace.yieldsToSends,
        })) && (await recordProgress(trx, job));
      if (!isOurs) throw new JobInterrupted();
      planned += counts.created;
    });
  };
}
