import { importError, type ImportError } from '@reachout/contract/rules/import-errors.ts';
import { readCsv, readJson, type FilePosition, type FileRecord } from './file-records.ts';
import { ImportFailed, maxRows, type ImportRow, type ImportRun } from './import.ts';
import { prepareBatch, recallKeys, type Batch } from './import-batch.ts';
import { openImport, readBytes, type ImportedCollection, type OpenImport } from './open-import.ts';

/** Maximum bytes per batch; batches of long rows have fewer rows. */
const batchBytes = 1_000_000;

/**
 * Stores a batch, or counts what storing it would do, together with the read position, in one transaction.
 * @param expectedByte  offset of the batch's first byte
 */
export type HandleBatch = (
  run: ImportRun,
  open: OpenImport,
  expectedByte: number,
  batch: Batch,
) => Promise<void>;

/** The destination of an import's rows. */
export interface ImportTarget {
  /** @returns undefined for a deleted collection */
  describe: (row: ImportRow) => Promise<ImportedCollection | undefined>;
  /** Maximum rows per batch. */
  maxRows: number;
  check: () => HandleBatch;
  store: HandleBatch;
  /** @returns undefined for an error that the content backend did not cause */
  explain: (error: unknown) => ImportFailure | undefined;
}

export interface ImportFailure {
  error: ImportError;
  /** Whether a retry would fail in the same way. */
  isLasting: boolean;
}

/**
 * Reads and validates the next batch while the previous one is being stored, unless the import pauses
 * between batches for sends.
 * @returns false if the worker is to stop before the end of the file
 */
export async function importFile(
  run: ImportRun,
  row: ImportRow,
  target: Pick<ImportTarget, 'describe' | 'maxRows'>,
  handle: HandleBatch,
): Promise<boolean> {
  const { open, firstRow } = await openImport(run, row, target.describe);
  const bounds = { rows: target.maxRows, bytes: batchBytes };
  const start = row.bytes_done > 0 ? { byte: row.bytes_done, line: row.line_done + 1 } : firstRow;
  run.pace.begin();
  await recall(run, open, firstRow, start.byte, bounds);
  let rowsRead = row.rows_done;
  let expectedByte = row.bytes_done;
  let storing: Promise<void> = Promise.resolve();
  const flush = async (records: readonly FileRecord[]) => {
    const batch = prepareBatch(open, records, maxRows - rowsRead);
    const firstByte = expectedByte;
    rowsRead += batch.progress.rows;
    expectedByte = batch.progress.bytes_done;
    await storing;
    await run.pace.rest(run.signal);
    storing = handle(run, open, firstByte, batch);
    // It is awaited later in any case; this prevents an unhandled rejection until then.
    storing.catch(() => {});
    // Otherwise the next batch would be read in the meantime.
    if (run.pace.yieldsToSends) await storing;
    if (batch.isCut) {
      await storing;
      throw new ImportFailed(importError('too_many_rows', { limit: maxRows }));
    }
  };
  try {
    for await (const records of inBatches(run, open, start, bounds, () => run.signal.aborted)) {
      // Rows before an unreadable position are valid.
      if (records.length > 0 && !run.signal.aborted) await flush(records);
    }
  } finally {
    await storing;
  }
  return !run.signal.aborted;
}

/** Reads the keys of earlier rows again, so that a resumed import detects duplicates as an uninterrupted one would. */
async function recall(
  run: ImportRun,
  open: OpenImport,
  firstRow: FilePosition,
  upTo: number,
  bounds: BatchBounds,
): Promise<void> {
  if (upTo <= firstRow.byte) return;
  for await (const records of inBatches(run, open, firstRow, bounds, () => false)) {
    if (run.signal.aborted) return;
    recallKeys(
      open,
      records.filter(({ nextByte }) => nextByte <= upTo),
    );
    if (records.some(({ nextByte }) => nextByte >= upTo)) return;
    await run.pace.rest(run.signal);
  }
}

interface BatchBounds {
  rows: number;
  bytes: number;
}

/**
 * Reads the rows of a file in batches from a position on, until the worker is to stop.
 * @throws ImportFailed after yielding the rows before an unreadable position
 */
async function* inBatches(
  { db }: ImportRun,
  open: OpenImport,
  start: FilePosition,
  max: BatchBounds,
  isStopping: () => boolean,
): AsyncGenerator<FileRecord[]> {
  let records: FileRecord[] = [];
  let bytes = 0;
  try {
    const bytesOfFile = readBytes(db, open.row, start.byte);
    for await (const record of readRecords(bytesOfFile, open, start)) {
      if (isStopping()) return;
      records.push(record);
      bytes += record.cells.reduce((sum, cell) => sum + cell.length, 0);
      if (records.length < max.rows && bytes < max.bytes) continue;
      yield records;
      records = [];
      bytes = 0;
    }
  } catch (error) {
    if (error instanceof ImportFailed) yield records;
    throw error;
  }
  yield records;
}

/** Reads the rows of a file from a position on. */
const readRecords = (
  chunks: AsyncIterable<Buffer>,
  { row, header, separator, fileText }: Pick<OpenImport, 'row' | 'header' | 'separator' | 'fileText'>,
  start: FilePosition,
): AsyncGenerator<FileRecord> =>
  row.settings.format === 'json'
    ? readJson(chunks, fileText, header, start)
    : readCsv(chunks, fileText, { separator, heading: header }, start);
