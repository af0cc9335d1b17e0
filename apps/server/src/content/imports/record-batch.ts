import type { Transaction } from '../../platform/database/database.ts';
import { recordProgress } from '../../platform/jobs/enqueue-job.ts';
import { JobInterrupted } from '../../platform/jobs/job-kind.ts';
import type { ImportJob } from './import.ts';
import type { Batch, Rejected } from './import-batch.ts';
import { advanceImport, type Progress } from './import-progress.queries.ts';
import { insertRejections } from './import-rejections.queries.ts';
import type { ImportKey } from './imports.queries.ts';

/** The result of storing a batch, beyond what validating its rows found. */
export interface BatchOutcome extends Pick<
  Progress,
  'created' | 'updated' | 'unchanged' | 'merged' | 'yieldsToSends'
> {
  rejections: readonly Rejected[];
}

/**
 * Counts a batch and stores its rejections, in the transaction that stores the batch, so that both are committed or neither.
 * @param expectedByte  offset of the batch's first byte
 * @throws JobInterrupted if another worker has taken over or the import was deleted
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
