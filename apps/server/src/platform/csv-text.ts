/**
 * Formats one line of CSV. A cell that a spreadsheet would read as a formula gets a leading apostrophe: untrusted text must
 * not run on the computer of the person who opens the file.
 */
export const toCsvLine = (cells: readonly string[], separator = ','): string =>
  `${cells.map((cell) => toCell(cell, separator)).join(separator)}\r\n`;

function toCell(text: string, separator: string): string {
  const whole = formulaStart.test(text) ? `'${text}` : text;
  // Spreadsheets in many locales split cells at `;`, and then do not recognize quotes in the middle of one.
  const safe = whole.replaceAll(partStart, (part, formula?: string) =>
    formula === undefined ? part : part.replace(/^.*[;\t\r\n]/s, "$&'"),
  );
  return safe.includes(separator) || /["\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// oxlint-disable-next-line no-control-regex -- spreadsheets skip NUL, tab and CR before a formula
const formulaStart = /^[=+\-@\t\r\n\u0000\uff1d\uff0b\uff0d\uff20]/;
// oxlint-disable-next-line no-control-regex -- as above
const partStart = /[;\t\r\n][\s"]*([=+\-@\u0000\uff1d\uff0b\uff0d\uff20])?/g;
