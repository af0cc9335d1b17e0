import { readCsv } from './csv-records.ts';
import type { FilePosition, FileRecord } from './file-record.ts';
import { readJson } from './json-records.ts';
import type { OpenImport } from './open-import.ts';

/** Reads the rows of a file from a position on. */
export const readRecords = (
  chunks: AsyncIterable<Buffer>,
  { row, header, separator, fileText }: Pick<OpenImport, 'row' | 'header' | 'separator' | 'fileText'>,
  start: FilePosition,
): AsyncGenerator<FileRecord> =>
  row.settings.format === 'json'
    ? readJson(chunks, fileText, header, start)
    : readCsv(chunks, fileText, { separator, heading: header }, start);
