/** JSON that is nested deeper, or has more values, is not parsed. */
const maxDepth = 64;
export const maxValues = 300_000;

/** Looks at a body while it arrives. */
export interface BodyBounds {
  /** Whether all that has arrived may be read. */
  accepts: (piece: Uint8Array) => boolean;
  /** How many values have arrived. */
  values: () => number;
}

const codeOf = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma, colon] = [codeOf('"'), codeOf('\\'), codeOf(','), codeOf(':')];
const [openList, closeList, openObject, closeObject] = [codeOf('['), codeOf(']'), codeOf('{'), codeOf('}')];

/**
 * Looks at JSON while it arrives: objects of a million keys take a hundred times the memory of their text. Whether it is JSON is not
 * looked at. Bytes do, because all of UTF-8 beyond ASCII has others.
 * @param most  values, fewer than are ever read
 */
export function createJsonBounds(most = maxValues): BodyBounds {
  let depth = 0;
  let values = 0;
  let isInString = false;
  let isEscaped = false;
  const accepts = (piece: Uint8Array): boolean => {
    // An iterator would make an object for each byte.
    for (let index = 0; index < piece.length; index += 1) {
      const code = piece[index];
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (code === backslash) isEscaped = true;
        else if (code === quote) isInString = false;
      } else if (code === quote) isInString = true;
      else if (code === openList || code === openObject) depth += 1;
      else if (code === closeList || code === closeObject) depth -= 1;
      else if (code === comma || code === colon) values += 1;
      if (depth > maxDepth || values > most) return false;
    }
    return true;
  };
  return { accepts, values: () => values };
}
