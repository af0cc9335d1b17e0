import {
  CsvRowScanner,
  CsvRowTooLong,
  type CsvRow,
  type CsvScan,
} from '@reachout/contract/rules/csv-rows.ts';
import { importError } from '@reachout/contract/rules/import-errors.ts';
import type { FilePosition, FileRecord } from './file-record.ts';
import { readCharacters, type FileText } from './file-text.ts';
import { ImportFailed, maxRowBytes } from './import.ts';

/**
 * Reads CSV rows from a position on and skips empty lines. Keeps at most one chunk and one row, so memory use is constant for
 * any file.
 * @param chunks  the bytes from that position on
 * @throws ImportFailed for a row that is too long, after yielding all rows before it
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  text: FileText,
  { separator, heading }: Pick<CsvScan, 'separator' | 'heading'>,
  start: FilePosition,
): AsyncGenerator<FileRecord> {
  const scanner = new CsvRowScanner({ separator, heading, maxLength: maxRowBytes, line: start.line });
  const toRecord = ({ next, ...row }: CsvRow): FileRecord => ({
    ...row,
    nextByte: start.byte + next * text.bytesPerCharacter,
  });
  try {
    for await (const characters of readCharacters(chunks, text))
      for (const row of scanner.scan(characters)) yield toRecord(row);
    for (const row of scanner.end()) yield toRecord(row);
  } catch (error) {
    throw error instanceof CsvRowTooLong
      ? new ImportFailed(importError('row_too_long', { line: error.line }))
      : error;
  }
}
