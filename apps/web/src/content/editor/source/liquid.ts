export interface Range {
  start: number;
  end: number;
}

/** `{{ output }}` or `{% tag %}` in a source. */
export interface LiquidToken extends Range {
  kind: 'output' | 'tag';
  /** The first word of a tag, such as `if`; empty for outputs. */
  name: string;
  /** What stands between the delimiters, without the name of a tag. */
  code: string;
}

/** Delimiters without an end, after which nothing more is searched: such a source is an error anyway. */
const mostUnclosed = 20;

/** Finds Liquid as the server's parser does. A delimiter that is never closed is text: the server names it as a problem. */
export function scanLiquid(source: string): LiquidToken[] {
  const tokens: LiquidToken[] = [];
  const opening = /\{\{|\{%/g;
  let unclosed = 0;
  for (let found = opening.exec(source); found !== null; found = opening.exec(source)) {
    const start = found.index;
    const isTag = found[0] === '{%';
    const end = isTag ? endOfTag(source, start) : endOfOutput(source, start);
    if (end === undefined) {
      unclosed += 1;
      if (unclosed === mostUnclosed) break;
      continue;
    }
    const inner = withoutDashes(source.slice(start + 2, end - 2)).trim();
    const name = isTag ? (/^[\w#]+/.exec(inner)?.[0] ?? '') : '';
    tokens.push({ kind: isTag ? 'tag' : 'output', start, end, name, code: inner.slice(name.length).trim() });
    opening.lastIndex = name === 'raw' ? startOfEndRaw(source, end) : end;
  }
  return tokens;
}

/** `{{-` and `-%}` remove blanks around the piece. */
const withoutDashes = (inner: string): string =>
  inner.slice(inner.startsWith('-') ? 1 : 0, inner.length > 1 && inner.endsWith('-') ? -1 : undefined);

function endOfTag(source: string, start: number): number | undefined {
  const at = source.indexOf('%}', start + 2);
  return at < 0 ? undefined : at + 2;
}

/** Quoted text may contain the closing delimiter. */
function endOfOutput(source: string, start: number): number | undefined {
  let quote = '';
  for (let at = start + 2; at < source.length; at += 1) {
    const char = source[at]!;
    if (quote !== '') {
      if (char === '\\') at += 1;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '}' && source[at + 1] === '}') return at + 2;
  }
  return undefined;
}

/** Between these tags, Liquid is text. */
function startOfEndRaw(source: string, from: number): number {
  const found = /\{%-?\s*endraw\b/.exec(source.slice(from));
  return found === null ? source.length : from + found.index;
}

/** Replaces Liquid by letters, so that tools for HTML find elements and attributes where they are in the source. */
export function maskLiquid(source: string, tokens: readonly Range[]): string {
  let masked = '';
  let at = 0;
  for (const { start, end } of tokens) {
    masked += source.slice(at, start) + 'q'.repeat(end - start);
    at = end;
  }
  return masked + source.slice(at);
}

/** @returns pieces of a text: Liquid, and what stands between */
export function splitLiquid(source: string): { text: string; token: LiquidToken | undefined }[] {
  const pieces: { text: string; token: LiquidToken | undefined }[] = [];
  let at = 0;
  for (const token of scanLiquid(source)) {
    if (token.start > at) pieces.push({ text: source.slice(at, token.start), token: undefined });
    pieces.push({ text: source.slice(token.start, token.end), token });
    at = token.end;
  }
  if (at < source.length) pieces.push({ text: source.slice(at), token: undefined });
  return pieces;
}

/** Whether a text is one piece of Liquid and nothing else. */
export const isLiquid = (text: string): boolean => {
  const [first] = scanLiquid(text);
  return first?.start === 0 && first.end === text.length;
};

/** Writes braces as entities where they would open Liquid, which would end at the next delimiter in the source. */
export const withoutDelimiters = (text: string): string => text.replaceAll(/\{(?=[{%]|$)/g, '&#123;');

/** @param value  as Liquid @param isRichText  whether it is HTML, which the server makes safe */
export const mergeTagOf = (value: string, isRichText: boolean): string =>
  `{{ ${value}${isRichText ? ' | rich_text' : ''} }}`;
