/**
 * Parses JSON files on the server and in the browser, so that the preview of an import equals the import: a sequence of
 * objects, in a list or one per line. Only one object is in memory at a time.
 */

/** One object as it is written in the file. */
export interface JsonRow {
  bytes: Uint8Array;
  /** Line of the file on which the object begins. */
  line: number;
  /** Position after the object: bytes read so far, and the line. */
  nextByte: number;
  nextLine: number;
}

/** From this line on, the file is not a list of objects, or an object is too long. */
export class JsonRowsBroken extends Error {
  readonly reason: 'not_a_list' | 'too_long';
  readonly line: number;
  constructor(reason: 'not_a_list' | 'too_long', line: number) {
    super(`${reason} in line ${line}`);
    this.reason = reason;
    this.line = line;
  }
}

/** Deeper structures are not valid item values and would only cost memory. */
const maxDepth = 64;
const code = (character: string) => character.charCodeAt(0);
const [quote, backslash, newLine, brace] = [code('"'), code('\\'), code('\n'), code('{')];
const opening = new Set([code('{'), code('[')]);
const closing = new Set([code('}'), code(']')]);
/** Characters allowed between objects: list brackets, commas and white space. */
const between = new Set(['[', ']', ',', ' ', '\t', '\r', '\n'].map(code));

/** Finds the objects in the chunks of a file. */
export class JsonRowScanner {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #length = 0;
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  #byte: number;
  #line: number;
  #firstLine = 1;

  /** @param start  position of the first chunk, which may be after any object; `line` is 1-based */
  constructor(maxBytes: number, start: { byte: number; line: number }) {
    this.#maxBytes = maxBytes;
    this.#byte = start.byte;
    this.#line = start.line;
  }

  /** The line on which an unfinished object began; undefined between objects. */
  get openLine(): number | undefined {
    return this.#depth === 0 ? undefined : this.#firstLine;
  }

  /** @throws JsonRowsBroken after yielding the rows before that position */
  *scan(piece: Uint8Array): Generator<JsonRow> {
    let from = this.#depth > 0 ? 0 : -1;
    for (let index = 0; index < piece.length; index += 1) {
      const byte = piece[index]!;
      if (byte === newLine) this.#line += 1;
      if (this.#depth === 0) {
        if (byte !== brace) {
          if (!between.has(byte)) throw new JsonRowsBroken('not_a_list', this.#line);
          continue;
        }
        from = index;
        this.#firstLine = this.#line;
      }
      if (!this.#step(byte)) continue;
      yield this.#end(piece.subarray(from, index + 1), this.#byte + index + 1);
      from = -1;
    }
    if (from !== -1) this.#keep(piece.subarray(from));
    this.#byte += piece.length;
  }

  /** @returns whether the object is complete */
  #step(byte: number): boolean {
    if (this.#inText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#inText = false;
      return false;
    }
    if (byte === quote) this.#inText = true;
    else if (opening.has(byte)) this.#depth += 1;
    else if (closing.has(byte)) this.#depth -= 1;
    if (this.#depth > maxDepth) throw new JsonRowsBroken('not_a_list', this.#firstLine);
    return this.#depth === 0;
  }

  #keep(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > this.#maxBytes) throw new JsonRowsBroken('too_long', this.#firstLine);
    // A copy, because the reader of the file may reuse the buffer.
    this.#parts.push(bytes.slice());
  }

  #end(last: Uint8Array, nextByte: number): JsonRow {
    this.#keep(last);
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length;
    }
    this.#parts = [];
    this.#length = 0;
    return { bytes, line: this.#firstLine, nextByte, nextLine: this.#line };
  }
}

/** @returns undefined if the bytes are not an object in UTF-8 */
export function parseJsonRow(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Formats a value of an object as one line, for tables and files of rows. */
export const jsonCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
