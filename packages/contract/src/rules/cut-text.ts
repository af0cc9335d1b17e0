/** Letters with their marks, flags and joined emoji are what people see as one character (UAX 29). */
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** @returns what people see as the characters of a text, which must be short: each has its own object */
export const graphemesOf = (text: string): string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);

/** How long one character may be in UTF-16 units; of a longer one, its first code points are kept. */
const longestGrapheme = 64;

/**
 * Cuts a text without tearing a character apart.
 * @param max  in UTF-16 units, like `length`, or in code points, like `char_length` of PostgreSQL
 * @returns the longest start that is not longer and ends between two characters
 */
export function cutText(text: string, max: number, unit: 'utf16' | 'code_point' = 'utf16'): string {
  const end = unit === 'utf16' ? max : unitsOf(text, max);
  if (end >= text.length) return text;
  const from = Math.max(0, end - longestGrapheme);
  // A flag is two code points of a row that may begin earlier.
  const near = /[\u{1f1e6}-\u{1f1ff}]/u.test(text.slice(from, end + 2)) ? 0 : from;
  const start = segmenter.segment(text.slice(near, end + longestGrapheme)).containing(end - near)?.index ?? 0;
  const cut = text.slice(0, near + start);
  return near + start > from ? cut : text.slice(0, end).replace(/[\ud800-\udbff]$/, '');
}

/** Cuts a text that is too long, and says so: `Spring sa…`. @param max  in UTF-16 units, with the dots */
export const shortenText = (text: string, max: number): string =>
  text.length > max ? `${cutText(text, max - 1).trimEnd()}…` : text;

/** @returns how many UTF-16 units so many code points have */
function unitsOf(text: string, codePoints: number): number {
  let units = 0;
  let left = codePoints;
  for (const character of text) {
    if (left === 0) break;
    left -= 1;
    units += character.length;
  }
  return units;
}
