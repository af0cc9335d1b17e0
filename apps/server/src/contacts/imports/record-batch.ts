import { importError } from '@reachout/contract/rules/import-errors.ts';
import { checkingImportStatus } from '@reachout/contract/states/import.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { keepJob, recordProgress } from '../../platform/jobs/enqueue-job.ts';
import { JobInterrupted } from '../../platform/jobs/job-kind.ts';
import { ImportFailed, type ImportJob } from './import.ts';
import type { Batch } from './import-batch.ts';
import { advanceImport, type Progress } from './import-progress.queries.ts';
import { insertRejections, type StoredRejection } from './import-rejections.queries.ts';
import type { OpenImport } from './open-import.ts';

/** The result of storing a batch, beyond what validating its rows found. */
export interface BatchOutcome extends Pick<
  Progress,
  'created' | 'updated' | 'unchanged' | 'merged' | 'yieldsToSends'
> {
  rejections: readonly StoredRejection[];
}

/**
 * Counts a batch and stores its rejections, in the transaction that stores the batch, so that both are committed or neither.
 * @param expectedByte  offset of the batch's first byte
 * @throws JobInterrupted if another worker has taken over or the import was deleted
 * @throws ImportFailed if the counts are not those of the rows of the file
 */
export async function recordBatch(
  trx: Transaction,
  { target: { organizationId }, row }: OpenImport,
  { job, expectedByte, batch }: { job: ImportJob; expectedByte: number; batch: Batch },
  { rejections, ...counts }: BatchOutcome,
): Promise<void> {
  const key = { organizationId, importId: row.id };
  const rejected = [...batch.rejections, ...rejections];
  // A rejected row has nothing that could be left out.
  const isRejected = new Set(rejections.map(({ end_byte }) => end_byte));
  const incomplete = batch.incomplete.filter(({ end_byte }) => !isRejected.has(end_byte));
  const { rows } = batch.progress;
  const counted = counts.created + counts.updated + counts.unchanged + counts.merged + rejected.length;
  if (counted !== rows) throw new ImportFailed(importError('rows_miscounted', { rows, counted }));
  await insertRejections(trx, key, [...rejected, ...incomplete]);
  const progress: Progress = {
    ...batch.progress,
    ...counts,
    rejected: rejected.length,
    leftOut: incomplete.reduce((sum, { left_out }) => sum + (left_out?.length ?? 0), 0),
  };
  // After a failure, a check reads the whole file again.
  const keep = row.status === checkingImportStatus ? keepJob : recordProgress;
  const isOurs = (await advanceImport(trx, key, expectedByte, progress)) && (await keep(trx, job));
  if (!isOurs) throw new JobInterrupted();
}
