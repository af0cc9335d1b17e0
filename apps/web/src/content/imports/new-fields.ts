import type { FieldType } from '@reachout/contract/content-fields.ts';
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

const words = new Set(['true', 'false', 'yes', 'no', 'y', 'n', 'wahr', 'falsch', 'ja', 'nein', 'x']);

/** In the order in which they are tried, text last. Numbers with a leading zero, such as postal codes, are text. */
const shapes: readonly (readonly [NewFieldType, (text: string) => boolean])[] = [
  ['date', (text) => /^(\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d{4})$/.test(text)],
  ['boolean', (text) => words.has(text.toLowerCase())],
  ['integer', (text) => /^-?(0|[1-9]\d{0,8})$/.test(text)],
  ['csv', (text) => Array.isArray(structureOf(text)) && isListOfTexts(structureOf(text) as unknown[])],
  ['json', (text) => structureOf(text) !== undefined],
  ['decimal', (text) => /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text)],
];

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

/** @returns the type that fits all of these cells; empty cells are ignored */
export function guessType(cells: readonly (string | undefined)[]): NewFieldType {
  const filled = cells.map((cell) => (cell ?? '').trim()).filter((cell) => cell !== '');
  if (filled.length === 0) return 'string';
  return shapes.find(([, fits]) => filled.every(fits))?.[0] ?? 'string';
}

const maxNameLength = 63;

/**
 * @returns a new field for a column: labeled like the column, with a unique name
 * @param taken  names of existing fields
 */
export const newFieldFor = (
  column: string,
  cells: readonly (string | undefined)[],
  taken: readonly string[],
): NewField => ({
  field: newFieldName(column, taken),
  label: column.slice(0, 120),
  type: guessType(cells),
});

/** Derives a unique technical name from a heading. */
export function newFieldName(column: string, taken: readonly string[]): string {
  const plain = column
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  const base = (/^[a-z]/.test(plain) ? plain : `field_${plain}`)
    .slice(0, maxNameLength - 4)
    .replace(/_+$/, '');
  const names = [base, ...Array.from({ length: taken.length + 1 }, (_, index) => `${base}_${index + 2}`)];
  return names.find((name) => !taken.includes(name)) ?? base;
}
