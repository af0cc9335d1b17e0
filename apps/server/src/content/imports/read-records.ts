import { readCsv } from './csv-records.ts';
import type { FilePosition, FileRecord } from './file-record.ts';
import type { StoredSettings } from './import.ts';
import { readJson } from './json-records.ts';

/** Reads the rows of a file from a position on. From the start of a CSV file, the first row is the header. */
export const readRecords = (
  chunks: AsyncIterable<Buffer>,
  { format, separator }: Pick<StoredSettings, 'format' | 'separator'>,
  header: readonly string[],
  start: FilePosition,
): AsyncGenerator<FileRecord> =>
  format === 'json' ? readJson(chunks, header, start) : readCsv(chunks, separator, start);
