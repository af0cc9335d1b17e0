/**
 * Cells that a spreadsheet would read as a formula are exported with a leading apostrophe: untrusted text must not run on the
 * computer of the person who opens the file. Imports take exactly these apostrophes back.
 */

export const markFormulas = (text: string): string =>
  // Spreadsheets in many locales split cells at `;`, and then do not recognize quotes in the middle of one.
  text.replace(formulaStart, "'").replaceAll(formulaPart, "'");

export const unmarkFormulas = (text: string): string =>
  text.includes("'") ? text.replace(markedStart, '').replaceAll(markedPart, '') : text;

// An apostrophe of the text itself gets another one, so that none is taken back that was not added.
const formula = String.raw`=+\-@\u0000\uff1d\uff0b\uff0d\uff20`;
/** Spreadsheets skip NUL, tab and CR before a formula. */
const atStart = `'*[${formula}\\t\\r\\n]`;
const afterPart = String.raw`'*(?:[^\S\t\r\n]|")*[${formula}]`;
const formulaStart = new RegExp(`^(?=${atStart})`);
const formulaPart = new RegExp(String.raw`(?<=[;\t\r\n])(?=${afterPart})`, 'g');
const markedStart = new RegExp(`^'(?=${atStart})`);
const markedPart = new RegExp(String.raw`(?<=[;\t\r\n])'(?=${afterPart})`, 'g');
