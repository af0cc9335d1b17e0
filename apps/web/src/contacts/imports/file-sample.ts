import {
  findSeparatorLine,
  guessSeparator,
  maxSeparatorLine,
  toHeading,
} from '@reachout/contract/rules/csv-dialect.ts';
import { CsvRowScanner, CsvRowTooLong, type CsvRow } from '@reachout/contract/rules/csv-rows.ts';
import { findEncoding, type FileEncoding } from '@reachout/contract/rules/file-encoding.ts';
import { unmarkFormulas } from '@reachout/contract/rules/formula-marks.ts';
import {
  jsonCell,
  JsonRowsBroken,
  JsonRowScanner,
  parseJsonRow,
} from '@reachout/contract/rules/json-rows.ts';
import { ColumnCells } from './new-fields.ts';

/** How a file is read, its first rows, and what all its rows have in each column. */
export interface FileSample {
  format: 'csv' | 'json';
  encoding: FileEncoding;
  separator: string;
  /** Whether the file names its encoding or its separator itself, so that no choice changes them. */
  isEncodingNamed: boolean;
  isSeparatorNamed: boolean;
  /** Whether this is no text. */
  isBinary: boolean;
  header: string[];
  /** The first rows below the heading. */
  rows: string[][];
  /** The cells of each column, over the whole file. */
  columns: ColumnCells[];
}

/** The user's corrections of wrong guesses about a CSV file. */
export interface CsvChoice {
  encoding?: FileEncoding;
  separator?: string;
}

const shownRows = 5;
/** Enough for a heading, and to tell text from pictures. */
const startBytes = 64 * 1024;
/** Like the limit of the server. */
const maxRowLength = 1_000_000;
const maxColumns = 200;

/** Reads a whole file piece by piece: what only its last row shows changes what its columns can be. */
export async function readFileSample(file: Blob, choice: CsvChoice = {}): Promise<FileSample> {
  const start = new Uint8Array(await file.slice(0, startBytes).arrayBuffer());
  const { encoding: named, markBytes } = findEncoding(start);
  const encoding = named ?? choice.encoding ?? (await guessEncoding(file));
  const text = new TextDecoder(encoding).decode(start, { stream: true });
  const isJson = /^\s*[[{]/.test(text);
  const line = isJson ? undefined : findSeparatorLine(text.slice(0, maxSeparatorLine));
  const known = {
    encoding: isJson && named === undefined ? 'utf-8' : encoding,
    separator: line?.separator ?? choice.separator ?? (isJson ? ',' : guessSeparator(text)),
    isEncodingNamed: named !== undefined,
    isSeparatorNamed: line !== undefined,
    // In UTF-16, half of the bytes of most texts are NUL.
    isBinary: (named === undefined || named === 'utf-8') && start.includes(0),
  } as const;
  const pieces = decode(file.slice(markBytes), known.encoding, line?.length ?? 0);
  const read = isJson ? await readObjects(pieces) : await readRows(pieces, known.separator);
  return { format: isJson ? 'json' : 'csv', ...known, ...read };
}

/** German spreadsheets write Windows-1252, most other programs UTF-8. */
async function guessEncoding(file: Blob): Promise<FileEncoding> {
  let valid = 0;
  let invalid = 0;
  for await (const text of decode(file, 'utf-8', 0)) {
    invalid += text.match(/\u{fffd}/gu)?.length ?? 0;
    valid += text.match(/[\u{80}-\u{fffc}\u{10000}-\u{10ffff}]/gu)?.length ?? 0;
  }
  // A few broken characters do not make a file Windows-1252: their rows are told.
  return invalid > valid ? 'windows-1252' : 'utf-8';
}

/** @param skipped  characters at the beginning that are left out */
async function* decode(file: Blob, encoding: FileEncoding, skipped: number): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  const reader = file.stream().getReader();
  let left = skipped;
  for (;;) {
    const { done, value } = await reader.read();
    const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
    if (text.length > left) yield text.slice(left);
    left = Math.max(0, left - text.length);
    if (done) return;
  }
}

/**
 * Reads the rows of a CSV file, the heading included, piece by piece.
 * @param sample  how the file is read
 * @throws CsvRowTooLong after yielding the rows before it
 */
export async function* readCsvRows(
  file: Blob,
  { encoding, separator }: Pick<FileSample, 'encoding' | 'separator'>,
): AsyncGenerator<CsvRow[]> {
  const start = new Uint8Array(await file.slice(0, startBytes).arrayBuffer());
  const text = new TextDecoder(encoding).decode(start, { stream: true });
  const skipped = findSeparatorLine(text.slice(0, maxSeparatorLine))?.length ?? 0;
  const scanner = new CsvRowScanner({ separator, maxLength: maxRowLength, heading: undefined, line: 1 });
  let isHeading = true;
  const collect = (found: Iterable<CsvRow>) => {
    const rows: CsvRow[] = [];
    for (const row of found) {
      if (isHeading) scanner.heading = row.cells;
      isHeading = false;
      rows.push(row);
    }
    return rows;
  };
  for await (const piece of decode(file.slice(findEncoding(start).markBytes), encoding, skipped))
    yield collect(scanner.scan(piece));
  yield collect(scanner.end());
}

type Rows = Pick<FileSample, 'header' | 'rows' | 'columns'>;

async function readRows(pieces: AsyncIterable<string>, separator: string): Promise<Rows> {
  const scanner = new CsvRowScanner({ separator, maxLength: maxRowLength, heading: undefined, line: 1 });
  const found: Rows = { header: [], rows: [], columns: [] };
  let hasHeading = false;
  const take = (rows: Iterable<CsvRow>) => {
    for (const { cells } of rows) {
      if (!hasHeading) {
        hasHeading = true;
        scanner.heading = cells;
        found.header = cells.map(toHeading);
        found.columns = cells.map(() => new ColumnCells());
        continue;
      }
      if (found.rows.length < shownRows) found.rows.push(cells.map(unmarkFormulas));
      for (const [index, column] of found.columns.entries()) column.add(unmarkFormulas(cells[index] ?? ''));
    }
  };
  try {
    for await (const piece of pieces) take(scanner.scan(piece));
    take(scanner.end());
  } catch (error) {
    // The server reports it; the import reads the rows before it.
    if (!(error instanceof CsvRowTooLong)) throw error;
  }
  return found;
}

/** Each key of the objects becomes a column. */
async function readObjects(pieces: AsyncIterable<string>): Promise<Rows> {
  const scanner = new JsonRowScanner(maxRowLength, 1);
  const columns = new Map<string, ColumnCells>();
  const first: Record<string, unknown>[] = [];
  try {
    for await (const piece of pieces)
      for (const { text } of scanner.scan(piece)) {
        const object = parseJsonRow(text) ?? {};
        if (first.length < shownRows) first.push(object);
        for (const [name, value] of Object.entries(object)) {
          if (!columns.has(name) && columns.size < maxColumns) columns.set(name, new ColumnCells());
          columns.get(name)?.add(jsonCell(value));
        }
      }
  } catch (error) {
    // The server reports it: from there on, the file is not a list of objects.
    if (!(error instanceof JsonRowsBroken)) throw error;
  }
  const header = [...columns.keys()];
  return {
    header,
    rows: first.map((object) => header.map((name) => jsonCell(object[name]))),
    columns: [...columns.values()],
  };
}
