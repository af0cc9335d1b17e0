import { describeImportError, type ImportLanguage } from '@reachout/contract/rules/import-error-text.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import { toCsvLine } from '../../platform/csv-text.ts';
import { withWaitBudget } from '../../platform/wait-budget.ts';
import type { ImportRow } from './import.ts';
import { selectRejectedRows } from './import-rejections.queries.ts';

const pageRows = 500;

const headings = {
  en: ['Line', 'Column', 'Reason'],
  de: ['Zeile', 'Spalte', 'Grund'],
} as const satisfies Record<ImportLanguage, readonly string[]>;
const suffixes = { en: 'rejected rows', de: 'abgelehnte Zeilen' } as const satisfies Record<
  ImportLanguage,
  string
>;

/** @returns a name derived from the imported file: `contacts – rejected rows.csv` */
export const rejectedFileName = ({ file_name }: ImportRow, language: ImportLanguage): string =>
  `${file_name.replace(/\.[a-z]{1,5}$/i, '')} – ${suffixes[language]}.csv`;

/**
 * Writes the rejected rows as they were in the file, with its separator and encoding, each followed by its line, the column
 * and the reason.
 */
export async function* rejectedCsv(
  db: Database,
  who: { userId: string; organizationId: string },
  { id, settings }: ImportRow,
  language: ImportLanguage,
): AsyncGenerator<Buffer> {
  const { header = [], separator, encoding, mapping } = settings;
  const columnOf = new Map(Object.entries(mapping).map(([column, field]) => [field, column]));
  const encode = (text: string) =>
    encoding === 'windows-1252' ? toWindows1252(text) : Buffer.from(text, 'utf8');
  // Spreadsheets detect UTF-8 by the byte order mark.
  const mark = encoding === 'utf-8' ? '\u{feff}' : '';
  yield encode(`${mark}${toCsvLine([...header, ...headings[language]], separator)}`);
  for (let afterLine = 0; ;) {
    const page = { afterLine, limit: pageRows };
    const read = (trx: Transaction) => selectRejectedRows(trx, who.organizationId, id, page);
    const rows = await withWaitBudget(() => limitedTransaction(db, who, read, 'expensive'));
    if (rows.length === 0) return;
    const lines = rows.map(({ cells, line, field, error }) =>
      toCsvLine(
        [
          ...fit(cells, header.length),
          String(line),
          field === null ? '' : (columnOf.get(field) ?? field),
          describeImportError(error, language),
        ],
        separator,
      ),
    );
    yield encode(lines.join(''));
    afterLine = rows.at(-1)!.line;
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
