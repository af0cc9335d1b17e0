/**
 * How a JSON file is read, on the server and in the browser alike, so that the preview of an import equals the import: its
 * objects one after the other, in a list or each on a line of its own. Nothing but one of them is in memory.
 */

/** One object, as it stands in the file. */
export interface JsonRow {
  bytes: Uint8Array;
  /** Line of the file on which it begins. */
  line: number;
  /** Where it ends: bytes read so far, and the line. */
  nextByte: number;
  nextLine: number;
}

/** From this line on, the file is no list of objects, or one of them is too long. */
export class JsonRowsBroken extends Error {
  readonly reason: 'not_a_list' | 'too_long';
  readonly line: number;
  constructor(reason: 'not_a_list' | 'too_long', line: number) {
    super(`${reason} in line ${line}`);
    this.reason = reason;
    this.line = line;
  }
}

/** Deeper structures are no values of items; they would only cost memory. */
const maxDepth = 64;
const code = (character: string) => character.charCodeAt(0);
const [quote, backslash, newLine, brace] = [code('"'), code('\\'), code('\n'), code('{')];
const opening = new Set([code('{'), code('[')]);
const closing = new Set([code('}'), code(']')]);
/** What may stand between objects: the brackets of the list, commas and white space. */
const between = new Set(['[', ']', ',', ' ', '\t', '\r', '\n'].map(code));

/** Finds the objects in the pieces of a file. */
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

  /** @param start  the place of the first piece, which may be behind any object; `line` counts from 1 */
  constructor(maxBytes: number, start: { byte: number; line: number }) {
    this.#maxBytes = maxBytes;
    this.#byte = start.byte;
    this.#line = start.line;
  }

  /** The line on which an object has begun that has not ended yet; undefined between objects. */
  get openLine(): number | undefined {
    return this.#depth === 0 ? undefined : this.#firstLine;
  }

  /** @throws JsonRowsBroken after the rows before that place */
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

  /** @returns whether the object has ended */
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
    // A copy: the piece may be used again by those who read the file.
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

/** @returns undefined for what is no object in UTF-8 */
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

/** A value of an object as one line: for tables and files of rows. */
export const jsonCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
