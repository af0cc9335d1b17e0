/**
 * Parses CSV files on the server and in the browser, so that the preview of an import equals the import. All line ends are
 * known, not only that of the first line: concatenated files contain several.
 *
 * A quote that is never closed must not swallow the rows after it: it is a character like any other, and each line stays a
 * row. A cell that is closed rows later is taken apart as well if its lines are rows of the table; if they may be, the row is
 * marked, so that nobody imports a part of it.
 */

export const csvSeparators = [',', ';', '\t', '|'] as const;

export interface CsvRow {
  cells: string[];
  /** Indexes of the cells that were in quotes: white space at their ends belongs to their values. */
  quoted?: number[];
  /** Indexes of the cells that begin with a quote that is not closed. */
  unclosed?: number[];
  /** Set if the quotes of the row leave open where its cells end. */
  isMisquoted?: boolean;
  /** Line on which the row begins, counted from 1. */
  line: number;
  /** Position after the row: characters read so far, and the line. */
  next: number;
  nextLine: number;
}

/** A single line of the file is too long. */
export class CsvRowTooLong extends Error {
  readonly line: number;
  constructor(line: number) {
    super(`The row in line ${line} is too long.`);
    this.line = line;
  }
}

export interface CsvScan {
  separator: string;
  /** Maximum length of a row in characters; also how far a closing quote is searched for. */
  maxLength: number;
  /** The cells of the heading; undefined while it is read itself. */
  heading: readonly string[] | undefined;
  /** Line of the first row. */
  line: number;
}

/** Finds the rows in the pieces of a file. Keeps at most one row and one piece. */
export class CsvRowScanner {
  readonly #separator: string;
  readonly #maxLength: number;
  #width: number | undefined;
  /** Columns that have addresses, by their headings. */
  #addressColumns: readonly number[] = [];
  #text = '';
  /** Position in `#text` of the next row, and the number of characters before `#text`. */
  #at = 0;
  #before = 0;
  #line: number;
  #isEnd = false;
  readonly #finders: Finders;

  constructor({ separator, maxLength, heading, line }: CsvScan) {
    this.#separator = separator;
    this.#maxLength = maxLength;
    this.heading = heading;
    this.#line = line;
    this.#finders = {
      lf: new Finder('\n'),
      cr: new Finder('\r'),
      quote: new Finder('"'),
      separator: new Finder(separator),
    };
  }

  /** Can be set once the heading was read. */
  set heading(cells: readonly string[] | undefined) {
    this.#width = cells?.length;
    this.#addressColumns = (cells ?? []).flatMap((cell, index) => (/mail/i.test(cell) ? [index] : []));
  }

  /** @throws CsvRowTooLong after yielding the rows before it */
  *scan(piece: string): Generator<CsvRow> {
    this.#before += this.#at;
    this.#text = this.#text.slice(this.#at) + piece;
    this.#at = 0;
    this.#forget();
    yield* this.#rows();
  }

  /** Yields what is left after the last piece. */
  *end(): Generator<CsvRow> {
    this.#isEnd = true;
    this.#forget();
    yield* this.#rows();
  }

  #forget(): void {
    for (const finder of Object.values(this.#finders) as Finder[]) finder.forget();
  }

  *#rows(): Generator<CsvRow> {
    for (let row = this.#next(); row !== undefined; row = this.#next()) yield row;
  }

  /** @returns undefined if the row is not complete yet */
  #next(): CsvRow | undefined {
    let end = this.#lineEnd(this.#at);
    while (end === this.#at && end < this.#text.length) {
      this.#at += this.#breakLength(end);
      this.#line += 1;
      end = this.#lineEnd(this.#at);
    }
    const from = this.#at;
    if (end === undefined || end - from > this.#maxLength) {
      if (this.#text.length - from > this.#maxLength) throw new CsvRowTooLong(this.#line);
      return undefined;
    }
    if (from === this.#text.length) return undefined;
    const quote = this.#find('quote', from);
    if (quote === -1 || quote >= end)
      return this.#take({ cells: this.#text.slice(from, end).split(this.#separator), end });
    const reading = this.#readQuoted(from);
    if ((reading?.end ?? this.#text.length) - from > this.#maxLength) throw new CsvRowTooLong(this.#line);
    return reading && this.#take(reading);
  }

  #take({ cells, quoted, unclosed, isMisquoted, end }: Reading): CsvRow {
    const line = this.#line;
    this.#line += 1 + countLineBreaks(cells, quoted);
    this.#at = end < this.#text.length ? end + this.#breakLength(end) : end;
    const row: CsvRow = { cells, line, next: this.#before + this.#at, nextLine: this.#line };
    if (quoted !== undefined) row.quoted = quoted;
    if (unclosed !== undefined) row.unclosed = unclosed;
    if (isMisquoted !== undefined) row.isMisquoted = isMisquoted;
    return row;
  }

  /** @returns undefined if the row is not complete yet */
  #readQuoted(from: number): Reading | undefined {
    const cells: string[] = [];
    const quoted: number[] = [];
    const unclosed: number[] = [];
    let isDoubtful = false;
    let mayHaveRows = false;
    /** The first cell of the row that looks like an address. */
    let addressAt = -1;
    for (let at = from; ;) {
      const index = cells.length;
      const closing = this.#text[at] === '"' ? this.#findClosing(at, from) : undefined;
      if (closing === 'incomplete') return undefined;
      const kind = closing === undefined ? 'plain' : this.#kindOf(at, closing, { from, index, addressAt });
      if (kind === undefined) return undefined;
      const isQuoted = kind === 'quoted' || kind === 'doubtful';
      const end = isQuoted ? closing!.at + 1 : this.#cellEnd(kind === 'stray' ? closing!.at : at);
      if (end === undefined) return undefined;
      mayHaveRows ||= kind === 'doubtful';
      if (isQuoted) {
        quoted.push(index);
        cells.push(this.#text.slice(at + 1, closing!.at).replaceAll('""', '"'));
      } else cells.push(this.#text.slice(at, end));
      if (kind === 'unclosed') unclosed.push(index);
      isDoubtful ||= kind === 'stray' && cells[index]!.includes(this.#separator);
      if (addressAt === -1 && looksLikeAddress(cells[index]!)) addressAt = index;
      if (this.#text[end] === this.#separator) {
        at = end + 1;
        continue;
      }
      // A line feed may follow.
      if (this.#lineEnd(end) === undefined) return undefined;
      const reading: Reading = { cells, end };
      if (quoted.length > 0) reading.quoted = quoted;
      if (unclosed.length > 0) reading.unclosed = unclosed;
      const isUnclear = this.#width !== undefined && !isClear(reading, isDoubtful, this.#width);
      if (mayHaveRows || isUnclear) reading.isMisquoted = true;
      return reading;
    }
  }

  /** The first quote after the opening one that is not doubled; `at` is -1 if there is none. */
  #findClosing(open: number, rowStart: number): { at: number; isProper: boolean } | 'incomplete' {
    const none = { at: -1, isProper: false };
    for (let from = open + 1; ;) {
      const at = this.#find('quote', from);
      if (at === -1 && !this.#isEnd && this.#text.length - rowStart <= this.#maxLength) return 'incomplete';
      if (at === -1 || at - rowStart > this.#maxLength) return none;
      const next = this.#text[at + 1];
      if (next === undefined && !this.#isEnd) return 'incomplete';
      if (next !== '"') {
        const isProper = next === undefined || next === this.#separator || next === '\n' || next === '\r';
        return { at, isProper };
      }
      from = at + 2;
    }
  }

  /**
   * @returns `stray` for a cell that goes on behind its closing quote, `unclosed` for one whose closing quote opens another
   *   cell or comes rows later, `doubtful` for one whose lines may be rows; undefined if the row is not complete yet
   */
  #kindOf(
    open: number,
    { at, isProper }: { at: number; isProper: boolean },
    { from, ...cell }: { from: number; index: number; addressAt: number },
  ): 'quoted' | 'stray' | 'unclosed' | 'doubtful' | undefined {
    if (at === -1) return 'unclosed';
    const lineEnd = this.#lineEnd(open);
    const isOnOneLine = lineEnd === undefined || lineEnd > at;
    if (isOnOneLine && !isProper) return this.#text[at - 1] === this.#separator ? 'unclosed' : 'stray';
    if (isOnOneLine) return 'quoted';
    if (!isProper) return 'unclosed';
    if (this.#width === undefined) return 'quoted';
    const end = this.#lineEnd(at);
    if (end === undefined) return this.#text.length - from > this.#maxLength ? 'quoted' : undefined;
    const lines = this.#text.slice(open, end).split(lineBreak);
    const looksOpening = this.#text[at - 1] === this.#separator;
    const shape = {
      width: this.#width,
      separator: this.#separator,
      addressColumns: this.#addressColumns,
      looksOpening,
      ...cell,
    };
    return ({ yes: 'unclosed', maybe: 'doubtful', no: 'quoted' } as const)[hasRows(lines, shape)];
  }

  /** @returns the end of the cell without quotes that goes on at a position; undefined if it is not complete yet */
  #cellEnd(from: number): number | undefined {
    const end = this.#lineEnd(from);
    const separator = this.#find('separator', from);
    if (separator !== -1 && (end === undefined || separator < end)) return separator;
    return end;
  }

  /** @returns the position of the next line break, or the end of the file; undefined if neither was read yet */
  #lineEnd(from: number): number | undefined {
    const lf = this.#find('lf', from);
    const cr = this.#find('cr', from);
    const end = lf === -1 ? cr : cr === -1 ? lf : Math.min(lf, cr);
    if (end === -1) return this.#isEnd ? this.#text.length : undefined;
    // The next piece may begin with the line feed.
    if (end === this.#text.length - 1 && this.#text[end] === '\r' && !this.#isEnd) return undefined;
    return end;
  }

  #breakLength(at: number): number {
    return this.#text[at] === '\r' && this.#text[at + 1] === '\n' ? 2 : 1;
  }

  #find(character: keyof Finders, from: number): number {
    return this.#finders[character].find(this.#text, from);
  }
}

interface Finders {
  lf: Finder;
  cr: Finder;
  quote: Finder;
  separator: Finder;
}

/** Remembers the last place of a character: a file without carriage returns would be searched to its end for each row. */
class Finder {
  readonly #character: string;
  #from = Infinity;
  #at = -1;

  constructor(character: string) {
    this.#character = character;
  }

  forget(): void {
    this.#from = Infinity;
  }

  find(text: string, from: number): number {
    if (from < this.#from || (this.#at !== -1 && this.#at < from)) {
      this.#from = from;
      this.#at = text.indexOf(this.#character, from);
    }
    return this.#at;
  }
}

interface Reading extends Pick<CsvRow, 'cells' | 'quoted' | 'unclosed' | 'isMisquoted'> {
  /** Position of the line break after the row. */
  end: number;
}

/**
 * Whether the cells of a row are where the headings say.
 * @param isDoubtful  whether separators were taken for a part of a cell that goes on behind its closing quote
 */
const isClear = ({ cells, unclosed }: Reading, isDoubtful: boolean, width: number): boolean =>
  cells.length === width ||
  (!isDoubtful &&
    // Empty cells at the end may be missing.
    (unclosed === undefined ||
      (cells.length < width && unclosed.length === 1 && unclosed[0] === cells.length - 1)));

interface Shape {
  width: number;
  separator: string;
  addressColumns: readonly number[];
  /** Index of the cell that a quote opens, and of an earlier cell of the row that has an address. */
  index: number;
  addressAt: number;
  /** Whether the closing quote may be one that opens another cell. */
  looksOpening: boolean;
}

/** Whether the lines of a quoted cell are rows of the table, which the quote has swallowed. */
function hasRows(
  [first = '', ...more]: readonly string[],
  { width, separator, addressColumns, looksOpening, ...cell }: Shape,
): 'yes' | 'maybe' | 'no' {
  const own = first.split(separator);
  const rows = more.filter((line) => line.trim() !== '').map((line) => line.split(separator));
  // A line with nothing but the beginning of the cell is no row.
  if (rows.length === 0 || cell.index + own.length === 1) return 'no';
  const among = own.findIndex(looksLikeAddress);
  const ownColumn = cell.addressAt !== -1 || among === -1 ? cell.addressAt : cell.index + among;
  const columns = [...addressColumns, ...(ownColumn === -1 ? [] : [ownColumn])];
  if (columns.length === 0) {
    const counts = [own.length + cell.index, ...rows.map((row) => row.length)];
    return width > 2 && counts.every((count) => count === width) ? 'yes' : 'no';
  }
  // An address where the heading or this row has one. A note may have some, too, but not in so many cells.
  const isRow = (row: readonly string[]) =>
    row.length > 1 && columns.some((column) => looksLikeAddress(row[column] ?? ''));
  if (rows.some((row) => row.length >= width && isRow(row))) return 'yes';
  if (!rows.every(isRow)) return 'no';
  return looksOpening ? 'yes' : 'maybe';
}

/** In bytes or in text. */
const looksLikeAddress = (cell: string): boolean =>
  /^[ \t]*"?[^ \t"@,;]+@[^ \t"@,;]+\.[^ \t"@,;]+"?[ \t]*$/.test(cell);

const lineBreak = /\r\n|\n|\r/;

const countLineBreaks = (cells: readonly string[], quoted: readonly number[] = []): number =>
  quoted.reduce((sum, index) => sum + cells[index]!.split(lineBreak).length - 1, 0);
