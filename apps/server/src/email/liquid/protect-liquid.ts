import { hash } from 'node:crypto';
import { Tokenizer, TypeGuards } from 'liquidjs';

/** A text whose Liquid is replaced by placeholder words, which HTML and MJML tools leave unchanged. */
export interface ProtectedText {
  text: string;
  /** The Liquid source of each placeholder. */
  sources: string[];
  /** Matches the placeholders; group 1 is the index into `sources`. */
  pattern: RegExp;
  /** A placeholder. Those beyond `sources` can mark other places: they are restored to nothing. */
  word(index: number): string;
  restore(text: string): string;
  /** @returns the 1-based line in the source of an offset in `text` */
  lineAt(offset: number): number;
}

/** @throws Error of Liquid if a delimiter is not closed */
export function protectLiquid(source: string): ProtectedText {
  const mark = `q${hash('sha256', source, 'hex').slice(0, 12)}x`;
  const sources: string[] = [];
  const lines = new LineMap();
  let text = '';
  let at = 0;
  const copy = (end: number) => {
    const copied = source.slice(at, end);
    lines.add(text.length, copied);
    text += copied;
  };
  for (const token of new Tokenizer(source).readTopLevelTokens()) {
    if (TypeGuards.isHTMLToken(token)) continue;
    copy(token.begin);
    const liquid = source.slice(token.begin, token.end);
    text += `${mark}${sources.length}q`;
    lines.skip(text.length, liquid);
    sources.push(liquid);
    at = token.end;
  }
  copy(source.length);
  const pattern = new RegExp(`${mark}(\\d+)q`, 'g');
  return {
    text,
    sources,
    pattern,
    word: (index) => `${mark}${index}q`,
    restore: (changed) => changed.replaceAll(pattern, (_, index: string) => sources[Number(index)] ?? ''),
    lineAt: (offset) => lines.at(offset),
  };
}

/** The line in the source at each offset where it changes. */
class LineMap {
  readonly #offsets = [0];
  readonly #lines = [1];

  /** Adds a text that starts at `offset`. */
  add(offset: number, text: string): void {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
      this.#push(offset + at + 1, 1);
  }

  /** Adds the lines of a text that is not there. */
  skip(offset: number, text: string): void {
    const lines = text.split('\n').length - 1;
    if (lines > 0) this.#push(offset, lines);
  }

  at(offset: number): number {
    let low = 0;
    let high = this.#offsets.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#offsets[middle]! <= offset) low = middle;
      else high = middle;
    }
    return this.#lines[low]!;
  }

  #push(offset: number, lines: number): void {
    this.#offsets.push(offset);
    this.#lines.push(this.#lines.at(-1)! + lines);
  }
}
