import { CsvRowScanner, csvSeparators } from './csv-rows.ts';
import { unmarkFormulas } from './formula-marks.ts';

/** What a CSV file says about itself, decided once for the server and the browser. */

/** First line with which a file names its separator to spreadsheets. */
export interface SeparatorLine {
  separator: string;
  /** Length of the line with its end. */
  length: number;
}

/** A longer first line is no separator line. */
export const maxSeparatorLine = 100;

/** @param start  the first characters of a file, at least `maxSeparatorLine` of a longer one; without its byte order mark */
export function findSeparatorLine(start: string): SeparatorLine | undefined {
  // Programs that put all cells into quotes do that to this line, too; spreadsheets that save it fill it up to the last column.
  const match = /^(?:sep=([^"\r\n])|"sep=([^"\r\n])")([^\r\n]*)(?:\r\n|\n|\r|$)/i.exec(start);
  const separator = match?.[1] ?? match?.[2];
  if (match === null || separator === undefined || separator.charCodeAt(0) > 0x7e) return undefined;
  if (match[0].length > maxSeparatorLine || match[3]!.replaceAll(separator, '').trim() !== '')
    return undefined;
  return { separator, length: match[0].length };
}

/** A heading as mappings name it. */
export const toHeading = (cell: string): string => unmarkFormulas(cell.trim());

/** Rows below the heading that a guess looks at. */
const guessRows = 20;

/**
 * @param start  the beginning of a file
 * @returns the separator that parts most cells in the heading, and as many in some of the first rows
 */
export function guessSeparator(start: string): string {
  const found = csvSeparators.map((separator) => {
    const [width = 0, ...widths] = firstWidths(start, separator);
    const fitting = width === 1 ? 0 : widths.filter((each) => each === width).length;
    return { separator, width, fitting, fits: width > 1 && (widths.length === 0 || fitting > 0) };
  });
  const [best] = found.toSorted(
    (one, other) =>
      Number(other.fits) - Number(one.fits) || other.width - one.width || other.fitting - one.fitting,
  );
  return best!.separator;
}

function firstWidths(start: string, separator: string): number[] {
  const scanner = new CsvRowScanner({ separator, maxLength: start.length, heading: undefined, line: 1 });
  const widths: number[] = [];
  for (const scan of [scanner.scan(start), scanner.end()])
    for (const { cells } of scan) {
      widths.push(cells.length);
      if (widths.length > guessRows) return widths;
      if (widths.length === 1) scanner.heading = cells;
    }
  return widths;
}
