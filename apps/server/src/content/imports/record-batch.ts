import type { Transaction } from '../../platform/database/database.ts';
import { recordProgress } from '../../platform/jobs/enqueue-job.ts';
import { JobInterrupted } from '../../platform/jobs/job-kind.ts';
import type { ImportJob } from './import.ts';
import type { Batch, Rejected } from './import-batch.ts';
import { advanceImport, type Progress } from './import-progress.queries.ts';
import { insertRejections } from './import-rejections.queries.ts';
import type { ImportKey } from './imports.queries.ts';

/** What became of a batch beyond what its rows alone say. */
export interface BatchOutcome extends Pick<
  Progress,
  'created' | 'updated' | 'unchanged' | 'merged' | 'yieldsToSends'
> {
  rejections: readonly Rejected[];
}

/**
 * Counts a batch and keeps what it rejects, in the transaction that stores it: either both have happened, or neither.
 * @param expectedByte  where the batch began
 * @throws JobInterrupted when another worker has taken over, or the file was dropped
 */
export async function recordBatch(
  trx: Transaction,
  key: ImportKey,
  { job, expectedByte, batch }: { job: ImportJob; expectedByte: number; batch: Batch },
  { rejections, ...counts }: BatchOutcome,
): Promise<void> {
  await insertRejections(trx, key, [...batch.rejections, ...rejections]);
  const progress = { ...batch.progress, ...counts, rejected: batch.progress.rejected + rejections.length };
  const isOurs = (await advanceImport(trx, key, expectedByte, progress)) && (await recordProgress(trx, job));
  if (!isOurs) throw new JobInterrupted();
}
