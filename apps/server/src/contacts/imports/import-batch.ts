import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { newId } from '../../platform/ids.ts';
import type { UpsertRow } from '../../content/built-in/upsert-items.queries.ts';
import type { FileRecord } from './file-record.ts';
import { chainRows, maxCellBytes } from './import.ts';
import { readRow, type FieldError } from './import-cells.ts';
import type { Progress } from './import-progress.queries.ts';
import type { StoredRejection } from './import-rejections.queries.ts';
import type { OpenImport } from './open-import.ts';

export interface Batch {
  rows: UpsertRow[];
  /** The file record of each row. */
  sources: FileRecord[];
  rejections: StoredRejection[];
  /** Rows whose unreadable values were left out; they are among `rows`. */
  incomplete: StoredRejection[];
  progress: Pick<Progress, 'bytes_done' | 'line_done' | 'rows'>;
  /** Whether rows were cut off because the file has too many. */
  isCut: boolean;
}

/** @param room  number of rows left until the file's limit */
export function prepareBatch(open: OpenImport, records: readonly FileRecord[], room: number): Batch {
  // Rows without any value come from the empty end of a spreadsheet.
  const filled = records.filter(
    ({ cells, error }) => error !== undefined || cells.some((cell) => cell.trim() !== ''),
  );
  const taken = filled.slice(0, room);
  const { rows, ...validated } = validateRows(open, taken);
  const last = records.at(-1)!;
  return {
    ...validated,
    rows: chainRows(rows, open.target.protectedFields).map((row) => ({
      ...row,
      id: newId(),
      // Without a key field, no two rows refer to the same item.
      is_double: open.target.keyField !== null && open.seen.add(row.key),
    })),
    progress: { bytes_done: last.nextByte, line_done: last.nextLine - 1, rows: taken.length },
    isCut: filled.length > room,
  };
}

function validateRows(open: OpenImport, records: readonly FileRecord[]) {
  const { columns, header, cellText, target } = open;
  const format = {
    width: header.length,
    keyField: target.keyField,
    cellText,
  };
  const validated = records.map((record) => ({ record, result: readRow(record, columns, format) }));
  return {
    rows: validated.flatMap(({ result }) => ('row' in result ? [result.row] : [])),
    sources: validated.flatMap(({ record, result }) => ('row' in result ? [record] : [])),
    rejections: validated.flatMap(({ record, result }) =>
      'row' in result ? [] : [toRejection(open, record, result)],
    ),
    incomplete: validated.flatMap(({ record, result }) =>
      'row' in result && result.leftOut.length > 0 ? [toIncomplete(open, record, result.leftOut)] : [],
    ),
  };
}

export const toRejection = (
  open: OpenImport,
  record: FileRecord,
  reason: Pick<StoredRejection, 'field' | 'error'>,
): StoredRejection => ({ kind: 'rejected', ...placeOf(open, record), ...reason, left_out: null });

const toIncomplete = (open: OpenImport, record: FileRecord, leftOut: FieldError[]): StoredRejection => ({
  kind: 'left_out',
  ...placeOf(open, record),
  ...leftOut[0]!,
  left_out: leftOut,
});

const placeOf = ({ cellText }: OpenImport, { line, nextByte, cells }: FileRecord) => ({
  line,
  end_byte: nextByte,
  // As text that can be stored and downloaded.
  cells: cells.map((cell) =>
    cellText.show(cutText(cell, maxCellBytes)).replaceAll('\0', '\u{fffd}').toWellFormed(),
  ),
});

/** Adds the keys of already stored rows when an import is resumed. */
export function recallKeys(open: OpenImport, records: readonly FileRecord[]): void {
  if (open.target.keyField === null) return;
  for (const { key } of validateRows(open, records).rows) open.seen.add(key);
}
