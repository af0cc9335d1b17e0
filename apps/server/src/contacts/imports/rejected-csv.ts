import type { RejectionKind } from '@reachout/contract/content-imports.ts';
import type { FileEncoding } from '@reachout/contract/rules/file-encoding.ts';
import { describeImportError, type ImportLanguage } from '@reachout/contract/rules/import-error-text.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { createPageReader } from '../../identity/access/page-reader.ts';
import { toCsvLine } from '../../platform/csv-text.ts';
import type { ImportRow } from './import.ts';
import { selectRejectedRows } from './import-rejections.queries.ts';

const pageRows = 500;

const headings = {
  en: ['Line', 'Column', 'Reason'],
  de: ['Zeile', 'Spalte', 'Grund'],
} as const satisfies Record<ImportLanguage, readonly string[]>;
const suffixes = {
  rejected: { en: 'rejected rows', de: 'abgelehnte Zeilen' },
  left_out: { en: 'values left out', de: 'weggelassene Werte' },
} as const satisfies Record<RejectionKind, Record<ImportLanguage, string>>;

/** @returns a name derived from the imported file: `contacts – rejected rows.csv` */
export const rejectedFileName = ({ file_name }: ImportRow, { kind, language }: RejectedFile): string =>
  `${file_name.replace(/\.[a-z]{1,5}$/i, '')} – ${suffixes[kind][language]}.csv`;

export interface RejectedFile {
  kind: RejectionKind;
  language: ImportLanguage;
}

/**
 * Writes the rejected rows, or those of which values were left out, as they were in the file, with its separator and encoding,
 * each followed by its line, the column and the reason.
 */
export async function* rejectedCsv(
  db: Database,
  who: { userId: string; organizationId: string },
  { id, settings }: ImportRow,
  { kind, language }: RejectedFile,
): AsyncGenerator<Buffer> {
  const { header = [], separator, encoding, mapping } = settings;
  const columnOf = new Map(Object.entries(mapping).map(([column, field]) => [field, column]));
  const nameOf = (field: string | null) => (field === null ? '' : (columnOf.get(field) ?? field));
  const encode = encoders[encoding];
  // Spreadsheets detect Unicode by the byte order mark.
  const mark = encoding === 'windows-1252' ? '' : '\u{feff}';
  yield encode(`${mark}${toCsvLine([...header, ...headings[language]], separator)}`);
  const readPage = createPageReader(db, who);
  for (let afterByte = 0; ;) {
    const page = { kind, afterByte, limit: pageRows };
    const read = (trx: Transaction) => selectRejectedRows(trx, who.organizationId, id, page);
    const rows = await readPage(read);
    if (rows.length === 0) return;
    const lines = rows.map(({ cells, line, left_out, ...own }) => {
      const reasons = left_out ?? [own];
      return toCsvLine(
        [
          ...fit(cells, header.length),
          String(line),
          reasons.map(({ field }) => nameOf(field)).join(' / '),
          reasons.map(({ error }) => describeImportError(error, language)).join(' / '),
        ],
        separator,
      );
    });
    yield encode(lines.join(''));
    afterByte = rows.at(-1)!.end_byte;
  }
}

/** Pads or cuts the cells to the number of headings, so that the columns after them stay aligned. */
const fit = (cells: readonly string[], width: number): string[] =>
  Array.from({ length: width }, (_, index) => cells[index] ?? '');

/** Bytes of the Windows-1252 characters that differ from Latin-1. */
const special = new Map(
  Array.from({ length: 32 }, (_, index) => index + 0x80).map((byte) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    byte,
  ]),
);

/** Encodes characters that Windows-1252 does not have as question marks. */
function toWindows1252(text: string): Buffer {
  return Buffer.from(
    Array.from(text, (character) => {
      const code = character.codePointAt(0)!;
      return special.get(character) ?? (code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : 0x3f);
    }),
  );
}

const encoders: Record<FileEncoding, (text: string) => Buffer> = {
  'utf-8': (text) => Buffer.from(text, 'utf8'),
  'windows-1252': toWindows1252,
  'utf-16le': (text) => Buffer.from(text, 'utf16le'),
  'utf-16be': (text) => Buffer.from(text, 'utf16le').swap16(),
};
