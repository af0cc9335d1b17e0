import type { FileEncoding } from '@reachout/contract/rules/file-encoding.ts';
import { attempt } from '../../platform/attempt.ts';

/**
 * How the bytes of a file become text. Rows are found in characters of a fixed number of bytes, so that positions are byte
 * offsets in any encoding; UTF-8 and Windows-1252 are therefore split as single bytes (latin1) and decoded cell by cell.
 */
export interface FileText {
  bytesPerCharacter: 1 | 2;
  /** Name of the encoding, as errors show it. */
  name: string;
  /** Converts a piece of the file to characters. Pieces have whole characters. */
  toCharacters: (bytes: Buffer) => string;
  /** @returns the text of a cell, undefined if it is invalid in the encoding */
  decode: (cell: string) => string | undefined;
  /** @returns the text of a cell, with replacement characters for what is invalid */
  show: (cell: string) => string;
}

export function openFileText(encoding: FileEncoding): FileText {
  const name = encoding.toUpperCase();
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    const isBig = encoding === 'utf-16be';
    return {
      bytesPerCharacter: 2,
      name,
      toCharacters: (bytes) => (isBig ? Buffer.from(bytes).swap16() : bytes).toString('utf16le'),
      decode: (cell) => (cell.isWellFormed() ? cell : undefined),
      show: (cell) => cell.toWellFormed(),
    };
  }
  const strict = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const tolerant = new TextDecoder(encoding, { ignoreBOM: true });
  // oxlint-disable-next-line no-control-regex -- "is it ASCII"
  const isAscii = (cell: string) => !/[^\u0000-\u007f]/.test(cell);
  return {
    bytesPerCharacter: 1,
    name,
    toCharacters: (bytes) => bytes.toString('latin1'),
    decode: (cell) => {
      if (isAscii(cell)) return cell;
      return attempt(() => strict.decode(Buffer.from(cell, 'latin1')), undefined);
    },
    show: (cell) => (isAscii(cell) ? cell : tolerant.decode(Buffer.from(cell, 'latin1'))),
  };
}

/** Cells of a JSON file, which is decoded object by object. */
export const jsonText: Pick<FileText, 'name' | 'decode' | 'show'> = {
  name: 'UTF-8',
  decode: (cell) => cell,
  show: (cell) => cell.toWellFormed(),
};

/** Half a character at the end of a file makes its last row one that is not in the encoding. */
const halfCharacter = '\ud800';

/** Yields the characters of a file. The end of a chunk may cut one. */
export async function* readCharacters(
  chunks: AsyncIterable<Buffer>,
  { bytesPerCharacter, toCharacters }: FileText,
): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % bytesPerCharacter);
    rest = bytes.subarray(whole);
    if (whole > 0) yield toCharacters(bytes.subarray(0, whole));
  }
  if (rest.length > 0) yield halfCharacter;
}
