import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { newId } from '../../platform/ids.ts';
import type { UpsertRow } from '../../content/built-in/upsert-items.queries.ts';
import type { FileRecord } from './file-records.ts';
import { chainRows, maxCellBytes, ImportFailed, type ImportJob } from './import.ts';
import { readRow, type FieldError } from './import-cells.ts';
import { advanceImport, type Progress } from './import-progress.queries.ts';
import { insertRejections, type StoredRejection } from './import-rejections.queries.ts';
import type { OpenImport } from './open-import.ts';
import { importError } from '@reachout/contract/rules/import-errors.ts';
import { checkingImportStatus } from '@reachout/contract/states/import.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { keepJob, recordProgress } from '../../platform/jobs/enqueue-job.ts';
import { JobInterrupted } from '../../platform/jobs/job-kind.ts';

export interface Batch {
  rows: UpsertRow[];
  /** The file record of each row. */
  sources: FileRecord[];
  rejections: StoredRejection[];
  /** Rows whose unreadable values were left out; they are among `rows`. */
  incomplete: StoredRejection[];
  progress: Pick<Progress, 'bytes_done' | 'line_done' | 'rows'>;
  /** Whether rows were cut off because the file has too many. */
  isCut: boolean;
}

/** @param room  number of rows left until the file's limit */
export function prepareBatch(open: OpenImport, records: readonly FileRecord[], room: number): Batch {
  // Rows without any value come from the empty end of a spreadsheet.
  const filled = records.filter(
    ({ cells, error }) => error !== undefined || cells.some((cell) => cell.trim() !== ''),
  );
  const taken = filled.slice(0, room);
  const { rows, ...validated } = validateRows(open, taken);
  const last = records.at(-1)!;
  return {
    ...validated,
    rows: chainRows(rows, open.target.protectedFields).map((row) => ({
      ...row,
      id: newId(),
      // Without a key field, no two rows refer to the same item.
      is_double: open.target.keyField !== null && open.seen.add(row.key),
    })),
    progress: { bytes_done: last.nextByte, line_done: last.nextLine - 1, rows: taken.length },
    isCut: filled.length > room,
  };
}

function validateRows(open: OpenImport, records: readonly FileRecord[]) {
  const { columns, header, cellText, target } = open;
  const format = {
    width: header.length,
    keyField: target.keyField,
    cellText,
  };
  const validated = records.map((record) => ({ record, result: readRow(record, columns, format) }));
  return {
    rows: validated.flatMap(({ result }) => ('row' in result ? [result.row] : [])),
    sources: validated.flatMap(({ record, result }) => ('row' in result ? [record] : [])),
    rejections: validated.flatMap(({ record, result }) =>
      'row' in result ? [] : [toRejection(open, record, result)],
    ),
    incomplete: validated.flatMap(({ record, result }) =>
      'row' in result && result.leftOut.length > 0 ? [toIncomplete(open, record, result.leftOut)] : [],
    ),
  };
}

export const toRejection = (
  open: OpenImport,
  record: FileRecord,
  reason: Pick<StoredRejection, 'field' | 'error'>,
): StoredRejection => ({ kind: 'rejected', ...placeOf(open, record), ...reason, left_out: null });

const toIncomplete = (open: OpenImport, record: FileRecord, leftOut: FieldError[]): StoredRejection => ({
  kind: 'left_out',
  ...placeOf(open, record),
  ...leftOut[0]!,
  left_out: leftOut,
});

const placeOf = ({ cellText }: OpenImport, { line, nextByte, cells }: FileRecord) => ({
  line,
  end_byte: nextByte,
  // As text that can be stored and downloaded.
  cells: cells.map((cell) =>
    cellText.show(cutText(cell, maxCellBytes)).replaceAll('\0', '\u{fffd}').toWellFormed(),
  ),
});

/** Adds the keys of already stored rows when an import is resumed. */
export function recallKeys(open: OpenImport, records: readonly FileRecord[]): void {
  if (open.target.keyField === null) return;
  for (const { key } of validateRows(open, records).rows) open.seen.add(key);
}

/** The result of storing a batch, beyond what validating its rows found. */
interface BatchOutcome extends Pick<
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
