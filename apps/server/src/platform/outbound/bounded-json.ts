/** JSON that is nested deeper, or has more values, is not parsed. */
const maxDepth = 64;
const maxValues = 500_000;

const [quote, backslash, comma, colon, openList, closeList, openObject, closeObject] = [
  '"',
  '\\',
  ',',
  ':',
  '[',
  ']',
  '{',
  '}',
].map((character) => character.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

/**
 * Whether a text may be given to `JSON.parse`: objects of a million keys take a hundred times the memory of their text. Whether it is JSON
 * is not looked at.
 */
export function isBoundedJson(text: string): boolean {
  let depth = 0;
  let values = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index);
    else if (code === openList || code === openObject) depth += 1;
    else if (code === closeList || code === closeObject) depth -= 1;
    else if (code === comma || code === colon) values += 1;
    if (depth > maxDepth || values > maxValues) return false;
  }
  return true;
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === backslash) index += 1;
    else if (code === quote) return index;
  }
  return text.length;
}
