import { cutText } from '@reachout/contract/rules/cut-text.ts';
import type { FieldInterface, FieldType } from '@reachout/contract/content-fields.ts';
import type { ConsentReading } from '@reachout/contract/content-imports.ts';
import { falseWords, readOptOut, trueWords } from '@reachout/contract/rules/consent-column.ts';
import { takeUnreadable, type ValueKind } from '@reachout/contract/rules/unreadable-values.ts';
import { unmarkFormulas } from '@reachout/contract/rules/formula-marks.ts';
import { importError, type ImportError } from '@reachout/contract/rules/import-errors.ts';
import { parseJsonExactly } from '@reachout/contract/rules/json-rows.ts';
import { parseList } from '@reachout/contract/rules/list-text.ts';
import { findForeignSign, parseAddress } from '../../email/addresses/address.ts';
import { attempt } from '../../platform/attempt.ts';
import { newId } from '../../platform/ids.ts';
import {
  isNumeral,
  isStorable,
  maxUniqueString,
  type JsonValue,
} from '../../content/backend/field-values.ts';
import type { FileRecord } from './file-records.ts';
import type { FileText } from './file-text.ts';
import { keyOf, maxCellBytes, type ImportedRow } from './import.ts';
import { checkField, type StoredField } from '../../content/built-in/stored-field.ts';

/** A column of the file that is mapped to a field. */
export interface MappedColumn {
  index: number;
  heading: string;
  field: StoredField;
  /** Decides what becomes of values that cannot be read. */
  kind: ValueKind;
  /** Set for a boolean field about consents: how its cells are read. */
  consent: ColumnConsent | undefined;
}

export interface ColumnConsent {
  reading: ConsentReading;
  /** Whether `true` in the field means no email; otherwise it means a consent. */
  isOptOut: boolean;
}

/** Why a value of a row cannot be read. */
export interface FieldError {
  field: string;
  error: ImportError;
}

/** The values of a row, and which ones were left out of it; or why it is rejected. */
export type ReadRow =
  | { row: ImportedRow; leftOut: FieldError[] }
  | { field: string | null; error: ImportError };

export interface RowFormat {
  /** Number of headings. A row may have fewer cells: the others are empty. */
  width: number;
  cellText: Pick<FileText, 'name' | 'decode'>;
  /** Null if each row creates an item. */
  keyField: string | null;
}

/** Converts a row to item values, or returns its error. */
export function readRow(
  record: FileRecord,
  columns: readonly MappedColumn[],
  { width, cellText, keyField }: RowFormat,
): ReadRow {
  const { cells, error } = record;
  const reject = (reason: ImportError) => ({ field: null, error: reason });
  if (error !== undefined) return reject(error);
  if (record.isMisquoted === true) return reject(importError('misquoted'));
  // Empty cells at the end come from programs that separate more columns than the headings have.
  if (cells.length > width && cells.slice(width).some((cell) => cell.trim() !== ''))
    return reject(importError('cell_count', { count: cells.length, expected: width }));
  const patch: Record<string, JsonValue> = {};
  const leftOut: FieldError[] = [];
  for (const column of columns) {
    const { index, field, consent } = column;
    const read =
      consent === undefined
        ? readCell(record, index, field, cellText)
        : readConsent(record, index, consent, cellText);
    const isNeeded = field.required || field.name === keyField;
    const found = read === undefined && isNeeded ? importError('required') : read;
    if (found === undefined) continue;
    const taken = 'value' in found ? found : decide(column);
    if (typeof taken === 'object') patch[field.name] = taken.value;
    else if (taken === 'rejected') return { field: field.name, error: found as ImportError };
    else leftOut.push({ field: field.name, error: found as ImportError });
  }
  return { row: { key: keyField === null ? newId() : keyOf(patch[keyField]), patch }, leftOut };
}

/** What becomes of a value that cannot be read. */
function decide({ kind, consent }: MappedColumn): { value: JsonValue } | 'rejected' | 'left_out' {
  const isOptOut = consent?.isOptOut === true;
  if (kind === 'import_opt_out' && consent?.reading.unclear !== 'reject')
    return consent?.reading.unclear === 'leave_out' ? 'left_out' : { value: true };
  return takeUnreadable<JsonValue>(kind, isOptOut);
}

/** @returns undefined for an empty cell that does not matter */
function readConsent(
  { cells, unclosed }: FileRecord,
  index: number,
  { reading: { yes_means }, isOptOut }: ColumnConsent,
  { name, decode }: RowFormat['cellText'],
): { value: boolean } | ImportError | undefined {
  const text = decode(cells[index] ?? '');
  if (text === undefined) return importError('not_in_encoding', { encoding: name });
  if (text.trim() === '')
    return isOptOut && yes_means === 'subscribed' ? importError('consent_missing') : undefined;
  if (unclosed?.includes(index) === true) return importError('quote_not_closed');
  const optedOut = readOptOut(unmarkFormulas(text.trim()), yes_means);
  return optedOut === undefined ? importError('no_consent_answer') : { value: optedOut === isOptOut };
}

/** @returns undefined for an empty cell */
function readCell(
  { cells, values, quoted, unclosed }: FileRecord,
  index: number,
  field: StoredField,
  { name, decode }: RowFormat['cellText'],
): { value: JsonValue } | ImportError | undefined {
  const cell = cells[index] ?? '';
  if (cell === '') return undefined;
  if (cell.length > maxCellBytes) return importError('cell_too_large', { kilobytes: maxCellBytes / 1024 });
  const decoded = decode(cell);
  if (decoded === undefined) return importError('not_in_encoding', { encoding: name });
  const trimmed = decoded.trim();
  if (trimmed === '') return undefined;
  if (unclosed?.includes(index) === true) return importError('quote_not_closed');
  const isJson = values !== undefined;
  const isExact = isFreeText(field) && (isJson || quoted?.includes(index) === true);
  const written = isExact ? decoded : trimmed;
  const text = isJson ? written : unmarkFormulas(written);
  if (!isStorable(text)) return importError('not_storable');
  const checked = checkTyped(field, values?.[index]) ?? checkText(field, text);
  return 'reason' in checked ? errorOf(field, text) : checked;
}

/** Whether white space at the ends of a value belongs to it. */
const isFreeText = ({ name, type, interface: ui }: StoredField): boolean =>
  (type === 'string' || type === 'text') && ui === null && name !== 'email';

type Checked = ReturnType<typeof checkField>;

/** Checks a JSON value that already has its field's type. @returns undefined for text, which is parsed like a CSV cell */
function checkTyped(field: StoredField, value: unknown): Checked | undefined {
  const isText = typeof value === 'string' && field.type !== 'json';
  if (value === undefined || value === null || isText) return undefined;
  const checked = checkField(field, value as JsonValue);
  return 'reason' in checked ? undefined : checked;
}

const numberTypes = new Set<FieldType>(['integer', 'bigInteger', 'float']);

function checkText(field: StoredField, text: string): Checked {
  const value = toValue(field, text);
  return value === undefined ? { reason: '' } : checkField(field, value);
}

/** Converts a cell to the type of its field. @returns undefined if it has no value of that type */
function toValue(field: StoredField, text: string): JsonValue | undefined {
  switch (field.type) {
    case 'boolean':
      return booleans.get(text.toLowerCase());
    case 'date':
      return toIsoDate(text);
    case 'csv':
      return parseList(text);
    case 'json':
      return parseJson(text);
    case 'integer':
    case 'bigInteger':
    case 'float':
      return isKeptAsNumber(text) ? Number(text) : undefined;
    default:
      return field.name === 'email' ? toAddress(text) : text;
  }
}

/** Whether a number is the same when it is written again: `01067`, or one with too many digits, would be another. */
const isKeptAsNumber = (text: string): boolean => {
  const written = String(Number(text));
  return (
    written === text || (isNumeral(text) && written === text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''))
  );
};

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

const parseJson = (text: string): JsonValue | undefined =>
  attempt(() => parseJsonExactly(text) as JsonValue, undefined);

/** Boolean values as spreadsheets write them, in English and German. */
const booleans = new Map<string, boolean>([
  ...trueWords.map((word) => [word, true] as const),
  ...falseWords.map((word) => [word, false] as const),
]);

/** @returns the reason why a field rejects a value */
function errorOf(field: StoredField, text: string): ImportError {
  if (numberTypes.has(field.type) && isNumeral(text) && !isKeptAsNumber(text))
    return importError('not_kept_as_number', { value: String(Number(text)) });
  const isOfType = 'value' in checkField({ ...field, interface: null }, text);
  if (field.interface !== null && isOfType) return errorOfInterface[field.interface](field, text);
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
        ? errorOfAddress(text)
        : importError('too_long', { max: maxUniqueString });
  }
}

function errorOfAddress(text: string): ImportError {
  const sign = text.includes('@') ? findForeignSign(text) : undefined;
  return sign === undefined ? importError('not_an_address') : importError('sign_in_address', { sign });
}

const errorOfInterface: Record<FieldInterface, (field: StoredField, text: string) => ImportError> = {
  email: (_field, text) => errorOfAddress(text),
  select: ({ choices }) => importError('not_a_choice', { values: cutText((choices ?? []).join(', '), 400) }),
  tags: () => importError('not_storable'),
  rich_text: () => importError('not_storable'),
  image: () => importError('not_a_web_address'),
};

/** Whether the text has the form of a date; the day need not exist. */
const isDateShaped = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);
