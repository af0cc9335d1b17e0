import { csvOptions } from '@reachout/contract/rules/csv-options.ts';
import { CsvError, parse, type Parser } from 'csv-parse';
import { importError } from '@reachout/contract/rules/import-errors.ts';
import type { FilePosition, FileRecord } from './file-record.ts';
import { ImportFailed, maxRowBytes } from './import.ts';

/**
 * Parses CSV rows from a position on and skips empty lines. Reads ahead at most one chunk and one row, so memory use is
 * constant for any file.
 * @throws ImportFailed for an unclosed quote or a row that is too long, after yielding all rows before it
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  separator: string,
  start: FilePosition,
): AsyncGenerator<FileRecord> {
  let records: FileRecord[] = [];
  let nextLine = start.line;
  let emptyLines = 0;
  const parser = parse({
    ...csvOptions,
    delimiter: separator,
    encoding: 'latin1',
    max_record_size: maxRowBytes,
    // Collects the records here: the stream would drop buffered records on an error.
    on_record: (cells: string[], info) => {
      const line = nextLine + info.empty_lines - emptyLines;
      emptyLines = info.empty_lines;
      nextLine = line + 1 + cells.reduce((sum, cell) => sum + countLineBreaks(cell), 0);
      records.push({ cells, line, nextByte: start.byte + info.bytes, nextLine });
      return null;
    },
  });
  // The stream emits no records, but it only ends if it is consumed.
  parser.resume();
  parser.on('error', () => {});

  function* take(): Generator<FileRecord> {
    const taken = records;
    records = [];
    yield* taken;
  }
  try {
    for await (const chunk of chunks) {
      const error = await write(parser, chunk);
      yield* take();
      if (error !== undefined) throw toFailure(error, nextLine);
    }
    const error = await end(parser);
    yield* take();
    if (error !== undefined) throw toFailure(error, nextLine);
  } finally {
    parser.destroy();
  }
}

function countLineBreaks(cell: string): number {
  if (!cell.includes('\n') && !cell.includes('\r')) return 0;
  return cell.match(/\r\n|\n|\r/g)?.length ?? 0;
}

const write = (parser: Parser, chunk: Buffer): Promise<Error | undefined> =>
  new Promise((resolve) => {
    parser.write(chunk, (error) => resolve(error ?? undefined));
  });

const end = (parser: Parser): Promise<Error | undefined> =>
  new Promise((resolve) => {
    parser.once('error', resolve);
    parser.end(() => resolve(undefined));
  });

function toFailure(error: Error, line: number): Error {
  if (!(error instanceof CsvError)) return error;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return new ImportFailed(importError('quote_not_closed', { line }));
  if (error.code === 'CSV_MAX_RECORD_SIZE') return new ImportFailed(importError('row_too_long', { line }));
  return new ImportFailed(importError('not_csv', { line }));
}
