import {
  jsonCell,
  JsonRowsBroken,
  JsonRowScanner,
  parseJsonRow,
} from '@reachout/contract/rules/json-rows.ts';
import {
  maxRows,
  maxMore,
  readCsvSample,
  type CsvSample,
  type Encoding,
  type Separator,
} from './csv-sample.ts';

/** The detected format of a file, and its first rows. */
export interface FileSample extends CsvSample {
  format: 'csv' | 'json';
}

/** The user's corrections of wrong guesses about a CSV file. */
export interface CsvChoice {
  encoding?: Encoding;
  separator?: Separator;
}

/**
 * @param bytes  the beginning of the file
 * @param whole  whether this is the whole file
 */
export function readFileSample(bytes: Uint8Array, whole: boolean, choice: CsvChoice = {}): FileSample {
  const first = bytes.subarray(hasMark(bytes) ? 3 : 0).find((byte) => byte > space);
  const isJson = first !== undefined && '[{'.includes(String.fromCharCode(first));
  return isJson
    ? { format: 'json', ...readJsonSample(bytes) }
    : { format: 'csv', ...readCsvSample(bytes, whole, choice) };
}

const space = 0x20;
const hasMark = ([one, two, three]: Uint8Array): boolean => one === 0xef && two === 0xbb && three === 0xbf;

/** Each key of the first objects becomes a column. */
function readJsonSample(bytes: Uint8Array): CsvSample {
  const objects = readObjects(bytes.subarray(hasMark(bytes) ? 3 : 0));
  const header = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const rows = objects.map((object) => header.map((name) => jsonCell(object[name])));
  return {
    encoding: 'utf-8',
    separator: ',',
    header,
    rows: rows.slice(0, maxRows),
    more: rows,
  };
}

/** Stops at the first error, which the server reports: from there on, the file is not a list of objects. */
function readObjects(bytes: Uint8Array): Record<string, unknown>[] {
  const objects: Record<string, unknown>[] = [];
  const scanner = new JsonRowScanner(bytes.length, { byte: 0, line: 1 });
  try {
    for (const row of scanner.scan(bytes)) {
      objects.push(parseJsonRow(row.bytes) ?? {});
      if (objects.length === maxMore) break;
    }
  } catch (error) {
    if (!(error instanceof JsonRowsBroken)) throw error;
  }
  return objects;
}
