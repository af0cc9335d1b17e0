/** JSON that is nested more deeply, or has more values, is not parsed. */
const maxDepth = 64;
export const maxValues = 300_000;

/** Checks a body while it arrives. */
export interface BodyBounds {
  /** Takes the next piece. @returns whether the body is still within the limits */
  accepts: (piece: Uint8Array) => boolean;
  /** Number of values received so far. */
  values: () => number;
}

const codeOf = (character: string): number => character.charCodeAt(0);
const [quote, backslash, comma, colon] = [codeOf('"'), codeOf('\\'), codeOf(','), codeOf(':')];
const [openList, closeList, openObject, closeObject] = [codeOf('['), codeOf(']'), codeOf('{'), codeOf('}')];

/**
 * Counts the depth and values of JSON while it arrives: objects with a million keys take a hundred times the memory of
 * their text. Does not validate the JSON. Bytes suffice, because UTF-8 encodes non-ASCII characters without ASCII bytes.
 * @param most  maximum number of values, not above `maxValues`
 */
export function createJsonBounds(most = maxValues): BodyBounds {
  let depth = 0;
  let values = 0;
  let isInString = false;
  let isEscaped = false;
  const accepts = (piece: Uint8Array): boolean => {
    // An iterator would allocate an object for each byte.
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
