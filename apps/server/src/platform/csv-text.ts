import { markFormulas } from '@reachout/contract/rules/formula-marks.ts';

/**
 * Formats one line of CSV. A cell that a spreadsheet would read as a formula gets a leading apostrophe: untrusted text must
 * not run on the computer of the person who opens the file.
 */
export const toCsvLine = (cells: readonly string[], separator = ','): string =>
  `${cells.map((cell) => toCell(cell, separator)).join(separator)}\r\n`;

/** The heading of each column, with its cell of a row. */
export type CsvColumns<Row> = Readonly<
  Record<string, (row: Row) => string | number | boolean | null | undefined>
>;

/** @param pages  is read page by page, as the client receives the file */
export async function* toCsv<Row>(
  columns: CsvColumns<Row>,
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield toCsvHead(Object.keys(columns));
  const cells = Object.values(columns);
  for await (const rows of pages)
    yield rows.map((row) => toCsvLine(cells.map((cell) => String(cell(row) ?? '')))).join('');
}

/** The first line, behind the byte order mark that tells spreadsheets that the file is UTF-8. */
export const toCsvHead = (headings: readonly string[], separator?: string): string =>
  `\u{feff}${toCsvLine(headings, separator)}`;

function toCell(text: string, separator: string): string {
  const safe = markFormulas(text);
  return safe.includes(separator) || /["\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
