/** The encodings of text files, as their first bytes show them; decided once for the server and the browser. */

export const fileEncodings = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
export type FileEncoding = (typeof fileEncodings)[number];

/** Bytes of a file that `findEncoding` looks at. */
const seenBytes = 4_096;

/**
 * @param start  the first bytes of a file, of a longer one at least `seenBytes`
 * @returns the encoding, undefined for one of eight bits without a byte order mark, and the length of that mark
 */
export function findEncoding(start: Uint8Array): { encoding: FileEncoding | undefined; markBytes: number } {
  const [one, two, three] = start;
  if (one === 0xef && two === 0xbb && three === 0xbf) return { encoding: 'utf-8', markBytes: 3 };
  if (one === 0xff && two === 0xfe) return { encoding: 'utf-16le', markBytes: 2 };
  if (one === 0xfe && two === 0xff) return { encoding: 'utf-16be', markBytes: 2 };
  return { encoding: findUtf16(start.subarray(0, seenBytes)), markBytes: 0 };
}

/** In UTF-16, one byte of each separator, line end, digit and Latin letter is NUL, always at the same side. */
function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const nulls = [0, 0];
  const structure = [0, 0];
  for (const [index, byte] of bytes.entries()) {
    if (byte !== 0) continue;
    nulls[index % 2]! += 1;
    // The other byte of the character.
    if (structuralBytes.has(bytes[index % 2 === 0 ? index + 1 : index - 1] ?? 0)) structure[index % 2]! += 1;
  }
  const [big = 0, little = 0] = nulls;
  if (big + little < bytes.length / 20) return undefined;
  if (little > 9 * big && structure[1]! > 0) return 'utf-16le';
  return big > 9 * little && structure[0]! > 0 ? 'utf-16be' : undefined;
}

/** Separators, line ends, and what lists of JSON begin with. */
const structuralBytes = new Set(Array.from(',;\t|\r\n[{', (character) => character.charCodeAt(0)));
