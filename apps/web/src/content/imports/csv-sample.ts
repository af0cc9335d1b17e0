import { csvOptions } from '@reachout/contract/rules/csv-options.ts';
import { CsvError, parse } from 'csv-parse/browser/esm/sync';

export const separators = [',', ';', '\t', '|'] as const;
export type Separator = (typeof separators)[number];
export type Encoding = 'utf-8' | 'windows-1252';

export interface CsvSample {
  encoding: Encoding;
  separator: Separator;
  header: string[];
  /** The first rows below the heading. */
  rows: string[][];
  /** Further rows, to guess the columns' types. */
  more: string[][];
}

/** Enough for a heading and a few rows; the server reads the whole file. */
export const sampleBytes = 64 * 1024;
/** Number of rows shown, and of rows used to guess types. */
export const maxRows = 5;
export const maxMore = 200;

/**
 * Guesses encoding and separator of a CSV file from its beginning, and reads the heading and the first rows. German
 * spreadsheets write semicolons and Windows-1252, most others commas and UTF-8.
 * @param whole  whether `bytes` is the whole file; if not, its last line may be incomplete and is omitted
 */
export function readCsvSample(
  bytes: Uint8Array,
  whole: boolean,
  choose: { encoding?: Encoding; separator?: Separator } = {},
): CsvSample {
  const encoding = choose.encoding ?? guessEncoding(bytes, whole);
  const text = new TextDecoder(encoding).decode(bytes).replace(/^\uFEFF/, '');
  const separator = choose.separator ?? guessSeparator(text);
  const [header = [], ...rows] = parseCsv(text, separator, whole);
  return {
    encoding,
    separator,
    header: header.map((cell) => cell.trim()),
    rows: rows.slice(0, maxRows),
    more: rows.slice(0, maxMore),
  };
}

/** Detects an image or a spreadsheet named like a CSV file: text contains no NUL. */
export const isBinary = (bytes: Uint8Array): boolean => bytes.includes(0);

function guessEncoding(bytes: Uint8Array, whole: boolean): Encoding {
  try {
    // A sample may end inside a character: in stream mode the decoder waits for the rest instead of failing.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !whole });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** @returns the most frequent separator of the heading, outside quotes */
function guessSeparator(text: string): Separator {
  const heading = parseCsvLine(text);
  const count = (separator: Separator) => heading.split(separator).length;
  return separators.toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}

/** @returns the first line without quoted text */
function parseCsvLine(text: string): string {
  const end = text.search(/\r?\n/);
  return (end === -1 ? text : text.slice(0, end)).replace(/"(?:[^"]|"")*"/g, '""');
}

/**
 * Parses the rows of a sample, up to the first error, such as a quote that is never closed.
 * @param whole  as for `readCsvSample`
 */
function parseCsv(text: string, separator: Separator, whole: boolean): string[][] {
  const rows: string[][] = [];
  const onRecord = (cells: string[]) => {
    rows.push(cells);
    return null;
  };
  try {
    parse(text, { ...csvOptions, delimiter: separator, on_record: onRecord });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return rows;
  }
  return whole ? rows : rows.slice(0, -1);
}

/** Common headings for the usual fields of contacts, in both languages. */
const synonyms: Record<string, readonly string[]> = {
  email: [
    'email',
    'e_mail',
    'mail',
    'email_address',
    'e_mail_address',
    'e_mail_adresse',
    'emailadresse',
    'mailadresse',
  ],
  first_name: ['first_name', 'firstname', 'given_name', 'forename', 'vorname'],
  last_name: ['last_name', 'lastname', 'surname', 'family_name', 'nachname', 'name', 'familienname'],
  country: ['country', 'land', 'country_code'],
  city: ['city', 'town', 'ort', 'stadt'],
  company: ['company', 'firma', 'unternehmen', 'organisation', 'organization'],
  language: ['language', 'sprache', 'locale'],
  phone: ['phone', 'telefon', 'telephone', 'tel'],
  birthday: ['birthday', 'geburtstag', 'date_of_birth', 'geburtsdatum'],
  unsubscribed: ['unsubscribed', 'abgemeldet'],
};

/** Suggests a field for each column; a field is suggested for one column only. */
export function suggestMapping(header: readonly string[], fields: readonly string[]): Record<string, string> {
  const mapping: Record<string, string> = {};
  const taken = new Set<string>();
  for (const column of header) {
    const plain = plainName(column);
    const field = fields.find(
      (name) => !taken.has(name) && (plain === name || (synonyms[name] ?? []).includes(plain)),
    );
    if (field && column !== '') {
      mapping[column] = field;
      taken.add(field);
    }
  }
  return mapping;
}

function plainName(heading: string): string {
  return heading
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
}
