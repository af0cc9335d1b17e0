import type { RejectionKind } from '@reachout/contract/content-imports.ts';
import type { FileEncoding } from '@reachout/contract/rules/file-encoding.ts';
import { describeImportError, type ImportLanguage } from '@reachout/contract/rules/import-error-text.ts';
import { fileExport, readPages, type ReadPage } from '../../identity/access/file-exports.ts';
import { orNotFound } from '../../platform/http/api-error.ts';
import { toCsvHead, toCsvLine } from '../../platform/csv-text.ts';
import type { ImportRow } from './import.ts';
import { findImport } from './imports.queries.ts';
import { selectRejectedRows, type StoredRejection } from './import-rejections.queries.ts';

const pageRows = 500;

export const rejectedHeadings = {
  en: ['Line', 'Column', 'Reason'],
  de: ['Zeile', 'Spalte', 'Grund'],
} as const satisfies Record<ImportLanguage, readonly string[]>;
export const rejectedSuffixes = {
  rejected: { en: 'rejected rows', de: 'abgelehnte Zeilen' },
  left_out: { en: 'values left out', de: 'weggelassene Werte' },
} as const satisfies Record<RejectionKind, Record<ImportLanguage, string>>;

/**
 * The rejected rows of an import, or those of which values were left out. The lines are by hand: separator, encoding and most
 * columns are those of the imported file.
 */
export const rejectedExport = fileExport(
  'content.exportRejected',
  async ({ id, kind, language }, { who, transaction, readPage }) => {
    const found = orNotFound(await transaction((trx) => findImport(trx, who.organizationId, id)));
    return {
      name: `${kind}.csv`,
      // Such as `contacts – rejected rows.csv`.
      fullName: `${found.file_name.replace(/\.[a-z]{1,5}$/i, '')} – ${rejectedSuffixes[kind][language]}.csv`,
      type: `text/csv; charset=${found.settings.encoding}`,
      pieces: rejectedCsv(readPage, who.organizationId, found, { kind, language }),
      note: { record_type: 'content_imports', record_id: id, record_name: found.file_name },
    };
  },
);

/**
 * Writes the rejected rows, or those of which values were left out, as they were in the file, with its separator and encoding,
 * each followed by its line, the column and the reason.
 */
async function* rejectedCsv(
  readPage: ReadPage,
  organizationId: string,
  { id, settings }: ImportRow,
  { kind, language }: { kind: RejectionKind; language: ImportLanguage },
): AsyncGenerator<Buffer> {
  const { header = [], separator, encoding, mapping } = settings;
  const columnOf = new Map(Object.entries(mapping).map(([column, field]) => [field, column]));
  const nameOf = (field: string | null) => (field === null ? '' : (columnOf.get(field) ?? field));
  const encode = encoders[encoding];
  // Spreadsheets detect Unicode by the byte order mark.
  const toHead = encoding === 'windows-1252' ? toCsvLine : toCsvHead;
  yield encode(toHead([...header, ...rejectedHeadings[language]], separator));
  const pages = readPages<StoredRejection>(readPage, pageRows, (trx, { last, limit }) =>
    selectRejectedRows(trx, organizationId, id, { kind, afterByte: last?.end_byte ?? 0, limit }),
  );
  for await (const rows of pages) {
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
const toWindows1252 = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, (character) => {
      const code = character.codePointAt(0)!;
      return special.get(character) ?? (code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : 0x3f);
    }),
  );

const encoders: Record<FileEncoding, (text: string) => Buffer> = {
  'utf-8': (text) => Buffer.from(text, 'utf8'),
  'windows-1252': toWindows1252,
  'utf-16le': (text) => Buffer.from(text, 'utf16le'),
  'utf-16be': (text) => Buffer.from(text, 'utf16le').swap16(),
};
