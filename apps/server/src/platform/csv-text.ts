import { markFormulas } from '@reachout/contract/rules/formula-marks.ts';

/**
 * Formats one line of CSV. A cell that a spreadsheet would read as a formula gets a leading apostrophe: untrusted text must
 * not run on the computer of the person who opens the file.
 */
export const toCsvLine = (cells: readonly string[], separator = ','): string =>
  `${cells.map((cell) => toCell(cell, separator)).join(separator)}\r\n`;

function toCell(text: string, separator: string): string {
  const safe = markFormulas(text);
  return safe.includes(separator) || /["\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
