import { readCsv, type CsvRecord } from './csv-records.ts';
import { ImportFailed, maxRows, type ImportRow, type ImportRun } from './import.ts';
import { prepareBatch } from './import-batch.ts';
import { openImport, readBytes } from './open-import.ts';
import { storeBatch } from './store-batch.ts';

/** A batch is one transaction: this many rows, or fewer when they are long. */
const batchRows = 1_000;
const batchBytes = 1_000_000;

/**
 * Reads and validates the next batch while PostgreSQL stores the one before.
 * @returns false when the worker is to stop before the end of the file
 */
export async function importRows(run: ImportRun, row: ImportRow): Promise<boolean> {
  const { open, firstRow } = await openImport(run, row);
  const start = row.bytes_done > 0 ? { byte: row.bytes_done, line: row.line_done + 1 } : firstRow;
  let records: CsvRecord[] = [];
  let bytes = 0;
  let rowsRead = row.rows_done;
  let expectedByte = row.bytes_done;
  let storing: Promise<void> = Promise.resolve();
  const flush = async () => {
    if (records.length === 0) return;
    const batch = prepareBatch(open, records, maxRows - rowsRead);
    const firstByte = expectedByte;
    records = [];
    bytes = 0;
    rowsRead += batch.progress.rows;
    expectedByte = batch.progress.bytes_done;
    await storing;
    storing = storeBatch(run, open, firstByte, batch);
    // Somebody awaits it in any case; until then its failure is nobody's surprise.
    storing.catch(() => {});
    if (batch.isCut) {
      await storing;
      throw new ImportFailed(`A file has at most ${maxRows} rows. The first ${maxRows} are imported.`);
    }
  };
  try {
    for await (const record of readCsv(readBytes(run.db, row, start.byte), row.settings.separator, start)) {
      if (run.signal.aborted) break;
      records.push(record);
      bytes += record.cells.reduce((sum, cell) => sum + cell.length, 0);
      if (records.length >= batchRows || bytes >= batchBytes) await flush();
    }
    if (!run.signal.aborted) await flush();
  } catch (error) {
    // The rows in front of the place that cannot be read are good.
    if (error instanceof ImportFailed) await flush();
    throw error;
  } finally {
    await storing;
  }
  return !run.signal.aborted;
}
