import type { ImportError } from '@reachout/contract/rules/import-errors.ts';

/** One row of a file. */
export interface FileRecord {
  /** As bytes (latin1), so that positions are byte offsets in the file for any encoding. */
  cells: string[];
  /** Typed values of a JSON file, in the order of the cells. */
  values?: readonly unknown[];
  /** Set if the row cannot be read. */
  error?: ImportError;
  /** Line on which the row begins, counted from 1. */
  line: number;
  /** Byte offset and line of the next row. */
  nextByte: number;
  nextLine: number;
}

/** A start position for reading: the start of a row. */
export interface FilePosition {
  byte: number;
  line: number;
}
