import { importError } from '@reachout/contract/rules/import-errors.ts';
import {
  jsonCell,
  JsonRowsBroken,
  JsonRowScanner,
  parseJsonRow,
} from '@reachout/contract/rules/json-rows.ts';
import type { FilePosition, FileRecord } from './file-record.ts';
import { readCharacters, type FileText } from './file-text.ts';
import { ImportFailed, maxColumns, maxRowBytes } from './import.ts';

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
