import { importError, type ImportError } from '@reachout/contract/rules/import-errors.ts';
import type { FilePosition, FileRecord } from './file-record.ts';
import { ImportFailed, maxRows, type ImportRow, type ImportRun } from './import.ts';
import { prepareBatch, recallKeys, type Batch } from './import-batch.ts';
import { openImport, readBytes, type ImportedCollection, type OpenImport } from './open-import.ts';
import { readRecords } from './read-records.ts';

/** A batch has fewer rows when they are long. */
const batchBytes = 1_000_000;

/**
 * Stores a batch, or counts what that would do, and how far the file was read, in one transaction.
 * @param expectedByte where the batch begins
 */
export type HandleBatch = (
  run: ImportRun,
  open: OpenImport,
  expectedByte: number,
  batch: Batch,
) => Promise<void>;

/** Where the rows of a file go. */
export interface ImportTarget {
  /** @returns undefined for a collection that is gone */
  describe: (row: ImportRow) => Promise<ImportedCollection | undefined>;
  /** Of a batch. */
  maxRows: number;
  check: () => HandleBatch;
  store: HandleBatch;
  /** @returns undefined for what is no fault of the content backend */
  explain: (error: unknown) => ImportFailure | undefined;
}

export interface ImportFailure {
  error: ImportError;
  /** Another attempt would end in the same way. */
  isLasting: boolean;
}

/**
 * Reads and validates the next batch while the content backend stores the one before, unless it rests in between, behind sends.
 * @returns false when the worker is to stop before the end of the file
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
    // Somebody awaits it in any case; until then its failure is nobody's surprise.
    storing.catch(() => {});
    // Else the next one would be read meanwhile.
    if (run.pace.yieldsToSends) await storing;
    if (batch.isCut) {
      await storing;
      throw new ImportFailed(importError('too_many_rows', { limit: maxRows }));
    }
  };
  try {
    for await (const records of inBatches(run, open, start, bounds, () => run.signal.aborted)) {
      // The rows in front of a place that cannot be read are good.
      if (records.length > 0 && !run.signal.aborted) await flush(records);
    }
  } finally {
    await storing;
  }
  return !run.signal.aborted;
}

/** An import that goes on knows the keys of the rows before, as one that was never interrupted. */
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
 * The rows of a file from a position on, until the worker is to stop.
 * @throws ImportFailed after the rows in front of a place that cannot be read
 */
async function* inBatches(
  { db }: ImportRun,
  { row, header }: OpenImport,
  start: FilePosition,
  max: BatchBounds,
  isStopping: () => boolean,
): AsyncGenerator<FileRecord[]> {
  let records: FileRecord[] = [];
  let bytes = 0;
  try {
    const bytesOfFile = readBytes(db, row, start.byte);
    for await (const record of readRecords(bytesOfFile, row.settings, header, start)) {
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
