import { newId } from '../../platform/ids.ts';
import type { UpsertRow } from '../built-in/upsert-items.queries.ts';
import type { FileRecord } from './file-record.ts';
import { chainRows, maxCellBytes } from './import.ts';
import { decodeCell, readRow } from './import-cells.ts';
import type { Progress } from './import-progress.queries.ts';
import type { Rejection } from './import-rejections.queries.ts';
import type { OpenImport } from './open-import.ts';

export type Rejected = Rejection & { cells: string[] };

export interface Batch {
  rows: UpsertRow[];
  /** The file record of each row. */
  sources: FileRecord[];
  rejections: Rejected[];
  progress: Pick<Progress, 'bytes_done' | 'line_done' | 'rows' | 'rejected'>;
  /** Whether rows were cut off because the file has too many. */
  isCut: boolean;
}

/** @param room  number of rows left until the file's limit */
export function prepareBatch(open: OpenImport, records: readonly FileRecord[], room: number): Batch {
  // Rows without any value come from the empty end of a spreadsheet.
  const filled = records.filter(
    ({ cells, error }) => error !== undefined || cells.some((cell) => cell.trim() !== ''),
  );
  const { rows, sources, rejections } = validateRows(open, filled.slice(0, room));
  const last = records.at(-1)!;
  return {
    rows: chainRows(rows, open.target.protectedFields).map((row) => ({
      ...row,
      id: newId(),
      // Without a key field, no two rows refer to the same item.
      is_double: open.target.keyField !== null && open.seen.add(row.key),
    })),
    sources,
    rejections,
    progress: {
      bytes_done: last.nextByte,
      line_done: last.nextLine - 1,
      rows: rows.length + rejections.length,
      rejected: rejections.length,
    },
    isCut: filled.length > room,
  };
}

function validateRows({ columns, width, decoder, target }: OpenImport, records: readonly FileRecord[]) {
  const validated = records.map((record) => ({
    record,
    result: readRow(record, columns, { width, keyField: target.keyField, decoder }),
  }));
  return {
    rows: validated.flatMap(({ result }) => ('row' in result ? [result.row] : [])),
    sources: validated.flatMap(({ record, result }) => ('row' in result ? [record] : [])),
    rejections: validated.flatMap(({ record, result }) =>
      'row' in result ? [] : [{ ...result, ...sourceOf(record, decoder) }],
    ),
  };
}

export const sourceOf = ({ line, cells }: FileRecord, decoder: TextDecoder) => ({
  line,
  cells: cells.map((cell) => show(cell, decoder)),
});

/** Converts a cell of a rejected row to text that can be stored and downloaded. */
function show(bytes: string, decoder: TextDecoder): string {
  const cut = bytes.slice(0, maxCellBytes);
  const text =
    decodeCell(cut, decoder) ?? new TextDecoder(decoder.encoding).decode(Buffer.from(cut, 'latin1'));
  return text.replaceAll('\0', '\u{fffd}').toWellFormed();
}

/** Adds the keys of already stored rows when an import is resumed. */
export function recallKeys(open: OpenImport, records: readonly FileRecord[]): void {
  if (open.target.keyField === null) return;
  for (const { key } of validateRows(open, records).rows) open.seen.add(key);
}
