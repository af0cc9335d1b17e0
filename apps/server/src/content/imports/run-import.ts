import { importError } from '@reachout/contract/rules/import-errors.ts';
import type { FilePosition, FileRecord } from './file-record.ts';
import { ImportFailed, maxRows, type ImportRow, type ImportRun } from './import.ts';
import { prepareBatch, recallKeys, type Batch } from './import-batch.ts';
import { openImport, readBytes, type OpenImport } from './open-import.ts';
import { readRecords } from './read-records.ts';

/** A batch is one transaction: this many rows, or fewer when they are long. */
const batchRows = 2_000;
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

/**
 * Reads and validates the next batch while PostgreSQL stores the one before, unless it rests in between, behind sends.
 * @returns false when the worker is to stop before the end of the file
 */
export async function importRows(run: ImportRun, row: ImportRow, handle: HandleBatch): Promise<boolean> {
  const { open, firstRow } = await openImport(run, row);
  const start = row.bytes_done > 0 ? { byte: row.bytes_done, line: row.line_done + 1 } : firstRow;
  run.pace.begin();
  await recall(run, open, firstRow, start.byte);
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
    for await (const records of inBatches(run, open, start, () => run.signal.aborted)) {
      // The rows in front of a place that cannot be read are good.
      if (records.length > 0 && !run.signal.aborted) await flush(records);
    }
  } finally {
    await storing;
  }
  return !run.signal.aborted;
}

/** An import that goes on knows the keys of the rows before, as one that was never interrupted. */
async function recall(run: ImportRun, open: OpenImport, firstRow: FilePosition, upTo: number): Promise<void> {
  if (upTo <= firstRow.byte) return;
  for await (const records of inBatches(run, open, firstRow, () => false)) {
    if (run.signal.aborted) return;
    recallKeys(
      open,
      records.filter(({ nextByte }) => nextByte <= upTo),
    );
    if (records.some(({ nextByte }) => nextByte >= upTo)) return;
    await run.pace.rest(run.signal);
  }
}

/**
 * The rows of a file from a position on, until the worker is to stop.
 * @throws ImportFailed after the rows in front of a place that cannot be read
 */
async function* inBatches(
  { db }: ImportRun,
  { row, header }: OpenImport,
  start: FilePosition,
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
      if (records.length < batchRows && bytes < batchBytes) continue;
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
