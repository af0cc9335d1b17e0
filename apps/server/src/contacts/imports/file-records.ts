import { importError, type ImportError } from '@reachout/contract/rules/import-errors.ts';
import {
  CsvRowScanner,
  CsvRowTooLong,
  type CsvRow,
  type CsvScan,
} from '@reachout/contract/rules/csv-rows.ts';
import { readCharacters, type FileText } from './file-text.ts';
import { ImportFailed, maxRowBytes, maxColumns } from './import.ts';
import {
  jsonCell,
  JsonRowsBroken,
  JsonRowScanner,
  parseJsonRow,
} from '@reachout/contract/rules/json-rows.ts';

export interface FileRecord extends Omit<CsvRow, 'next'> {
  /** Cells of a CSV file are in characters of the file (`FileText`), those of a JSON file are text. */
  cells: string[];
  /** Typed values of a JSON file, in the order of the cells. */
  values?: readonly unknown[];
  /** Set if the row cannot be read. */
  error?: ImportError;
  /** Byte offset of the next row. */
  nextByte: number;
}

/** A start position for reading: the start of a row. */
export interface FilePosition {
  byte: number;
  line: number;
}

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

/**
 * Reads the objects of a JSON file as rows with one column per heading. Keeps at most one chunk and one object in memory.
 * @param chunks  the bytes from `start` on
 * @throws ImportFailed for anything but a list of objects, after yielding all rows before it
 */
export async function* readJson(
  chunks: AsyncIterable<Buffer>,
  text: FileText,
  header: readonly string[],
  start: FilePosition,
): AsyncGenerator<FileRecord> {
  for await (const { object, ...place } of readObjects(chunks, text, start)) {
    if (object === undefined) {
      yield { ...place, cells: header.map(() => ''), error: importError('not_json') };
      continue;
    }
    const values = header.map((name) => (Object.hasOwn(object, name) ? object[name] : undefined));
    yield { ...place, values, cells: values.map(jsonCell) };
  }
}

/** @returns the mapped columns, then the other properties of the first object; undefined if there is no object */
export async function readJsonHeader(
  chunks: AsyncIterable<Buffer>,
  text: FileText,
  mapped: readonly string[],
  start: FilePosition,
): Promise<string[] | undefined> {
  for await (const { object } of readObjects(chunks, text, start))
    return [...new Set([...mapped, ...Object.keys(object ?? {})])].slice(
      0,
      Math.max(maxColumns, mapped.length),
    );
  return undefined;
}

type ReadObject = Omit<FileRecord, 'cells'> & { object: Record<string, unknown> | undefined };

async function* readObjects(
  chunks: AsyncIterable<Buffer>,
  fileText: FileText,
  start: FilePosition,
): AsyncGenerator<ReadObject> {
  const scanner = new JsonRowScanner(maxRowBytes, start.line);
  try {
    for await (const characters of readCharacters(chunks, fileText))
      for (const { text, next, ...place } of scanner.scan(characters)) {
        const nextByte = start.byte + next * fileText.bytesPerCharacter;
        yield { ...place, nextByte, object: parseJsonRow(fileText.decode(text) ?? '') };
      }
  } catch (error) {
    if (!(error instanceof JsonRowsBroken)) throw error;
    const { line, reason } = error;
    throw new ImportFailed(
      reason === 'too_long' ? importError('object_too_long', { line }) : importError('not_a_list', { line }),
    );
  }
  if (scanner.openLine !== undefined)
    throw new ImportFailed(importError('not_a_list', { line: scanner.openLine }));
}
