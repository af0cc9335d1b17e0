import type { FieldType } from '@reachout/contract/content.ts';
import { parseAddress } from '../../email/addresses/address.ts';
import { isStorable, type JsonValue } from '../backend/field-values.ts';
import { keyOf, maxCellBytes, type ImportedRow } from './import.ts';
import { checkField, type StoredField } from '../built-in/stored-field.ts';

/** A column of the file that goes into a field. */
export interface MappedColumn {
  index: number;
  heading: string;
  field: StoredField;
}

export type ReadRow = { row: ImportedRow } | { field: string | null; reason: string };

/**
 * Turns the cells of one row into what it says about an item, or says what is wrong with the row.
 * @param cells as bytes (latin1): decoded here, and only where there is more than ASCII
 * @param width how many cells a row has to have
 */
export function readRow(
  cells: readonly string[],
  columns: readonly MappedColumn[],
  { width, keyField, decoder }: { width: number; keyField: string; decoder: TextDecoder },
): ReadRow {
  if (cells.length !== width) {
    return { field: null, reason: `This row has ${cells.length} cells instead of ${width}.` };
  }
  const patch: Record<string, JsonValue> = {};
  for (const { index, field } of columns) {
    const bytes = cells[index] ?? '';
    if (bytes.length > maxCellBytes) return { field: field.name, reason: 'This cell has more than 64 kB.' };
    const text = decodeCell(bytes, decoder)?.trim();
    if (text === undefined) {
      return { field: field.name, reason: 'This is not UTF-8. Was the file saved in another encoding?' };
    }
    if (text === '') {
      if (field.required || field.name === keyField)
        return { field: field.name, reason: 'This is required.' };
      continue;
    }
    if (!isStorable(text))
      return { field: field.name, reason: 'This contains characters that can’t be stored.' };
    const value = toValue(field, text);
    const checked = value === undefined ? { reason: hints[field.type] ?? '' } : checkField(field, value);
    if ('reason' in checked) return { field: field.name, reason: checked.reason };
    patch[field.name] = checked.value;
  }
  return { row: { key: keyOf(patch[keyField]), patch } };
}

/** @returns undefined when the bytes are not of the encoding */
export function decodeCell(bytes: string, decoder: TextDecoder): string | undefined {
  // oxlint-disable-next-line no-control-regex -- "is it ASCII"
  if (!/[^\u0000-\u007f]/.test(bytes)) return bytes;
  try {
    return decoder.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined;
  }
}

/** The value of a cell in the type of its field; undefined when it has none of that type. */
function toValue(field: StoredField, text: string): JsonValue | undefined {
  switch (field.type) {
    case 'boolean':
      return booleans.get(text.toLowerCase());
    case 'date':
      return text.replace(
        /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/,
        (_match, day: string, month: string, year: string) =>
          [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
      );
    case 'csv':
      return text.split(',').map((entry) => entry.trim());
    case 'json':
      return parseJson(text);
    default:
      return field.name === 'email' ? toAddress(text) : text;
  }
}

/**
 * The field `email` takes addresses only, with their domain in ASCII: an import is the moment when somebody looks at
 * what is wrong with a list.
 */
function toAddress(text: string): string | undefined {
  const parsed = parseAddress(text);
  return 'error' in parsed ? undefined : parsed.address;
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** As spreadsheets write them, in English and German. */
const booleans = new Map<string, boolean>([
  ...['true', '1', 'yes', 'y', 'wahr', 'ja', 'x'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'n', 'falsch', 'nein'].map((word) => [word, false] as const),
]);

const hints: Partial<Record<FieldType, string>> = {
  boolean: 'Use true or false.',
  json: 'This is not JSON.',
  string: 'This is not an email address.',
  text: 'This is not an email address.',
};
