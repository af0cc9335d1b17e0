/**
 * Lists of texts in one cell, as exports write and imports read them: separated by commas. An entry that this would change is in
 * quotes. A list in JSON is read as well.
 */

export const formatList = (entries: readonly string[]): string => entries.map(formatEntry).join(', ');

const formatEntry = (entry: string): string =>
  entry === '' || /^\s|\s$|^\[|[",]/.test(entry) ? `"${entry.replaceAll('"', '""')}"` : entry;

export const parseList = (text: string): string[] =>
  parseJsonList(text) ??
  [...text.matchAll(entries)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!.trim());

/** Each entry up to its comma: one in quotes, or any other text. */
const entries = /(?<=^|,)(?:\s*"((?:[^"]|"")*)"\s*|([^,]*))(?=,|$)/g;

function parseJsonList(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const list = JSON.parse(text) as unknown;
    return Array.isArray(list) && list.every((entry) => typeof entry === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}
