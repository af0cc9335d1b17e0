import type { FieldInterface } from '@reachout/contract/content-fields.ts';
import { importError, type ImportError } from '@reachout/contract/rules/import-errors.ts';
import { parseAddress } from '../../email/addresses/address.ts';
import { newId } from '../../platform/ids.ts';
import { isNumeral, isStorable, maxUniqueString, type JsonValue } from '../backend/field-values.ts';
import type { FileRecord } from './file-record.ts';
import { keyOf, maxCellBytes, type ImportedRow } from './import.ts';
import { checkField, type StoredField } from '../built-in/stored-field.ts';

/** A column of the file that is mapped to a field. */
export interface MappedColumn {
  index: number;
  heading: string;
  field: StoredField;
}

export type ReadRow = { row: ImportedRow } | { field: string | null; error: ImportError };

/**
 * Converts a row to item values, or returns its error. Cells are bytes (latin1) and are decoded here, unless they are ASCII.
 * @param width  required number of cells
 * @param keyField  null if each row creates an item
 */
export function readRow(
  { cells, values, error: unread }: FileRecord,
  columns: readonly MappedColumn[],
  { width, keyField, decoder }: { width: number; keyField: string | null; decoder: TextDecoder },
): ReadRow {
  if (unread !== undefined) return { field: null, error: unread };
  if (cells.length !== width) {
    return { field: null, error: importError('cell_count', { count: cells.length, expected: width }) };
  }
  const patch: Record<string, JsonValue> = {};
  for (const { index, field } of columns) {
    const bytes = cells[index] ?? '';
    const reject = (error: ImportError) => ({ field: field.name, error });
    if (bytes.length > maxCellBytes)
      return reject(importError('cell_too_large', { kilobytes: maxCellBytes / 1024 }));
    const text = decodeCell(bytes, decoder)?.trim();
    if (text === undefined)
      return reject(importError('not_in_encoding', { encoding: decoder.encoding.toUpperCase() }));
    if (text === '') {
      if (field.required || field.name === keyField) return reject(importError('required'));
      continue;
    }
    if (!isStorable(text)) return reject(importError('not_storable'));
    const checked = checkTyped(field, values?.[index]) ?? checkText(field, text);
    if ('reason' in checked) return reject(errorOf(field, text));
    patch[field.name] = checked.value;
  }
  return { row: { key: keyField === null ? newId() : keyOf(patch[keyField]), patch } };
}

type Checked = ReturnType<typeof checkField>;

/** Checks a JSON value that already has its field's type. @returns undefined for text, which is parsed like a CSV cell */
function checkTyped(field: StoredField, value: unknown): Checked | undefined {
  const isText = typeof value === 'string' && field.type !== 'json';
  if (value === undefined || value === null || isText) return undefined;
  const checked = checkField(field, value as JsonValue);
  return 'reason' in checked ? undefined : checked;
}

function checkText(field: StoredField, text: string): Checked {
  const value = toValue(field, text);
  return value === undefined ? { reason: '' } : checkField(field, value);
}

/** @returns undefined if the bytes are invalid in the encoding */
export function decodeCell(bytes: string, decoder: TextDecoder): string | undefined {
  // oxlint-disable-next-line no-control-regex -- "is it ASCII"
  if (!/[^\u0000-\u007f]/.test(bytes)) return bytes;
  try {
    return decoder.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined;
  }
}

/** Converts a cell to the type of its field. @returns undefined if it has no value of that type */
function toValue(field: StoredField, text: string): JsonValue | undefined {
  switch (field.type) {
    case 'boolean':
      return booleans.get(text.toLowerCase());
    case 'date':
      return toIsoDate(text);
    case 'csv':
      return text.split(',').map((entry) => entry.trim());
    case 'json':
      return parseJson(text);
    default:
      return field.name === 'email' ? toAddress(text) : text;
  }
}

const toIsoDate = (text: string): string =>
  text.replace(/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, (_match, day: string, month: string, year: string) =>
    [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
  );

/**
 * The field `email` accepts only addresses with an ASCII domain: an import is when users review the errors in a list.
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

const trueWords = ['true', '1', 'yes', 'y', 'wahr', 'ja', 'x'];
const falseWords = ['false', '0', 'no', 'n', 'falsch', 'nein'];

/** Boolean values as spreadsheets write them, in English and German. */
const booleans = new Map<string, boolean>([
  ...trueWords.map((word) => [word, true] as const),
  ...falseWords.map((word) => [word, false] as const),
]);

/** @returns the reason why a field rejects a value */
function errorOf(field: StoredField, text: string): ImportError {
  const isOfType = 'value' in checkField({ ...field, interface: null }, text);
  if (field.interface !== null && isOfType) return errorOfInterface[field.interface](field);
  switch (field.type) {
    case 'boolean':
      return importError('not_a_word', { words: [...trueWords, ...falseWords].join(', ') });
    case 'date':
      return isDateShaped(toIsoDate(text)) ? importError('no_such_date') : importError('not_a_date');
    case 'dateTime':
    case 'timestamp':
      return isDateShaped(text.slice(0, 10)) && /\d\d:\d\d|^.{10}$/.test(text)
        ? importError('no_such_date')
        : importError('not_a_date_time');
    case 'time':
      return importError('not_a_time');
    case 'integer':
    case 'bigInteger':
      return isNumeral(text) && !text.includes('.')
        ? importError('number_too_large')
        : importError('not_whole');
    case 'float':
    case 'decimal':
      return importError('not_a_number');
    case 'uuid':
      return importError('not_a_uuid');
    case 'json':
      return importError('not_json');
    default:
      return field.name === 'email' && toAddress(text) === undefined
        ? importError('not_an_address')
        : importError('too_long', { max: maxUniqueString });
  }
}

const errorOfInterface: Record<FieldInterface, (field: StoredField) => ImportError> = {
  email: () => importError('not_an_address'),
  select: ({ choices }) => importError('not_a_choice', { values: (choices ?? []).join(', ').slice(0, 400) }),
  tags: () => importError('not_storable'),
  image: () => importError('not_a_web_address'),
};

/** Whether the text has the form of a date; the day need not exist. */
const isDateShaped = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);
