import { cutText } from '@reachout/contract/rules/cut-text.ts';
import type { FieldType } from '@reachout/contract/content-fields.ts';
import { noConsents, readConsentAnswer, type ConsentTally } from '@reachout/contract/rules/consent-column.ts';
import { newFieldName } from '#web/content/collections/field-name.ts';
import type { NewField } from '@reachout/contract/content-imports.ts';

/** The types that a field created during an import can have. */
export const newFieldTypes = [
  'string',
  'text',
  'boolean',
  'date',
  'integer',
  'decimal',
  'csv',
  'json',
] as const satisfies readonly FieldType[];
export type NewFieldType = (typeof newFieldTypes)[number];

/**
 * In the order in which they are tried, text last. A guess must not change a value: `01067`, `+49`, `1e5`, `1.234,5`, `TRUE`, `NO`
 * and numbers with many digits stay text, and a user can choose another type.
 */
const shapes: readonly (readonly [NewFieldType, (text: string) => boolean])[] = [
  ['date', isDate],
  ['boolean', (text) => text === 'true' || text === 'false'],
  ['integer', (text) => /^(0|-?[1-9]\d{0,8})$/.test(text)],
  ['csv', (text) => Array.isArray(structureOf(text)) && isListOfTexts(structureOf(text) as unknown[])],
  ['json', (text) => structureOf(text) !== undefined],
  ['decimal', (text) => /^(0|-?[1-9]\d{0,8}|-?(0|[1-9]\d{0,8})\.\d{1,15})$/.test(text)],
];

/** A day that exists, in the order of ISO 8601 or with dots; `03/04/2026` is another day in each country. */
function isDate(text: string): boolean {
  const iso = text.replace(
    /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/,
    (_match, day: string, month: string, year: string) =>
      [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
  );
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(iso)) return false;
  // A day that a month does not have becomes one of the next.
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso);
}

/** Parses lists and objects in JSON files; undefined for any other text. */
function structureOf(text: string): object | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

const isListOfTexts = (list: readonly unknown[]): boolean => list.every((entry) => typeof entry === 'string');

/** What the cells of a column have in common; empty cells are ignored. */
export class ColumnCells {
  #fitting = shapes;
  #count = 0;
  #addresses = 0;
  readonly #consents = { ...noConsents };

  add(cell: string): void {
    const text = cell.trim();
    this.#consents[text === '' ? 'empty' : (readConsentAnswer(text) ?? 'unclear')] += 1;
    if (text === '') return;
    this.#count += 1;
    if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) this.#addresses += 1;
    if (this.#fitting.some(([, fits]) => !fits(text)))
      this.#fitting = this.#fitting.filter(([, fits]) => fits(text));
  }

  /** The type that fits all cells. */
  get type(): NewFieldType {
    return this.#count === 0 ? 'string' : (this.#fitting[0]?.[0] ?? 'string');
  }

  /** What the cells would say if they were consents. */
  get consents(): ConsentTally {
    return this.#consents;
  }

  get hasAddress(): boolean {
    return this.#addresses > 0;
  }

  /** Whether nearly all cells are email addresses. */
  get isAddresses(): boolean {
    return this.#addresses > 0 && this.#addresses >= 0.9 * this.#count;
  }
}

/** Words of headings, in English and German, whose digits are no quantities. */
const codeWords =
  /^(zip|zipcode|postal|postcode|plz|phone|telephone|telefon|tel|mobile|mobil|handy|fax|sms|whatsapp|id|ids|uid|uuid|guid|nr|no|code|codes|sku|ean|gtin|isbn|iban|bic|vat|tin|ssn|pin|version)$|(postleitzahl|telefon|nummer|nr|vorwahl|code|kennung|kennzeichen)$/;

/** Whether the cells of a column are codes, phone numbers or the like, which are text even if all are digits. */
function isOfCodes(column: string): boolean {
  const words = column
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return words.some((word) => codeWords.test(word)) || words.at(-1) === 'number';
}

/**
 * @returns a new field for a column: labeled like the column, with a unique name
 * @param taken  names of existing fields
 */
export const newFieldFor = (column: string, cells: ColumnCells, taken: readonly string[]): NewField => ({
  field: newFieldName(column, taken),
  label: cutText(column, 120),
  type: isOfCodes(column) && (cells.type === 'integer' || cells.type === 'decimal') ? 'string' : cells.type,
});
