import type { ImportError } from '@reachout/contract/rules/import-errors.ts';

/** One row of a file. */
export interface FileRecord {
  /** As bytes (latin1), so that positions are those in the file, whatever its encoding. */
  cells: string[];
  /** Of a JSON file, in the order of the cells: values that have a type already. */
  values?: readonly unknown[];
  /** Why it cannot be read. */
  error?: ImportError;
  /** Line of the file on which the row begins, from 1. */
  line: number;
  /** Where the next row begins: its byte and its line. */
  nextByte: number;
  nextLine: number;
}

/** Where to begin: at the start of a row. */
export interface FilePosition {
  byte: number;
  line: number;
}
