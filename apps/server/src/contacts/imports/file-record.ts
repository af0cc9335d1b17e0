import type { ImportError } from '@reachout/contract/rules/import-errors.ts';
import type { CsvRow } from '@reachout/contract/rules/csv-rows.ts';

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
