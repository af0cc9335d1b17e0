import { hash } from 'node:crypto';
import { Tokenizer, TypeGuards } from 'liquidjs';

/** A text whose Liquid is replaced by placeholder words, which HTML and MJML tools leave unchanged. */
export interface ProtectedText {
  text: string;
  /** The Liquid source of each placeholder. */
  sources: string[];
  /** Matches the placeholders; group 1 is the index into `sources`. */
  pattern: RegExp;
  restore(text: string): string;
}

/** @throws Error of Liquid if a delimiter is not closed */
export function protectLiquid(source: string): ProtectedText {
  const mark = `q${hash('sha256', source, 'hex').slice(0, 12)}x`;
  const sources: string[] = [];
  let text = '';
  let at = 0;
  for (const token of new Tokenizer(source).readTopLevelTokens()) {
    if (TypeGuards.isHTMLToken(token)) continue;
    text += `${source.slice(at, token.begin)}${mark}${sources.length}q`;
    sources.push(source.slice(token.begin, token.end));
    at = token.end;
  }
  text += source.slice(at);
  const pattern = new RegExp(`${mark}(\\d+)q`, 'g');
  return {
    text,
    sources,
    pattern,
    restore: (changed) => changed.replaceAll(pattern, (_, index: string) => sources[Number(index)] ?? ''),
  };
}
