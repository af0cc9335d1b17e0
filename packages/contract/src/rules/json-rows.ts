/**
 * Parses JSON files on the server and in the browser, so that the preview of an import equals the import: a sequence of
 * objects, in a list or one per line. Only one object is in memory at a time.
 */

/** One object as it is written in the file. */
export interface JsonRow {
  text: string;
  /** Line of the file on which the object begins. */
  line: number;
  /** Position after the object: characters read so far, and the line. */
  next: number;
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

/** Finds the objects in the pieces of a file. */
export class JsonRowScanner {
  readonly #maxLength: number;
  #parts: string[] = [];
  #length = 0;
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  #before = 0;
  #line: number;
  #firstLine = 1;

  /**
   * @param maxLength  of an object in characters
   * @param line  of the first piece, which may begin after any object, counted from 1
   */
  constructor(maxLength: number, line: number) {
    this.#maxLength = maxLength;
    this.#line = line;
  }

  /** The line on which an unfinished object began; undefined between objects. */
  get openLine(): number | undefined {
    return this.#depth === 0 ? undefined : this.#firstLine;
  }

  /** @throws JsonRowsBroken after yielding the rows before that position */
  *scan(piece: string): Generator<JsonRow> {
    let from = this.#depth > 0 ? 0 : -1;
    for (let index = 0; index < piece.length; index += 1) {
      const byte = piece.charCodeAt(index);
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
      yield this.#end(piece.slice(from, index + 1), this.#before + index + 1);
      from = -1;
    }
    if (from !== -1) this.#keep(piece.slice(from));
    this.#before += piece.length;
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

  #keep(part: string): void {
    this.#length += part.length;
    if (this.#length > this.#maxLength) throw new JsonRowsBroken('too_long', this.#firstLine);
    this.#parts.push(part);
  }

  #end(last: string, next: number): JsonRow {
    this.#keep(last);
    const text = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    return { text, line: this.#firstLine, next, nextLine: this.#line };
  }
}

/** @returns undefined if the text is not an object */
export function parseJsonRow(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJsonExactly(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Parses JSON; a number that JavaScript cannot hold becomes the text of its digits. @throws SyntaxError */
export const parseJsonExactly = (text: string): unknown =>
  (longDigits.test(text) ? JSON.parse(text, keepLongNumbers) : JSON.parse(text)) as unknown;

/** A number with more digits may not fit: `12345678901234567890` would become `12345678901234567000`. */
const longDigits = /\d{16}/;

/** Keeps the text of a number that is another one in JavaScript. */
const keepLongNumbers = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' &&
  context?.source !== undefined &&
  longDigits.test(context.source) &&
  String(value) !== context.source
    ? context.source
    : value;

/** Formats a value of an object as one line, for tables and files of rows. */
export const jsonCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
