import { splitLiquid, withoutDelimiters, type Range } from './liquid.ts';

/** A replacement in a source, as CodeMirror takes it. */
export interface Splice {
  from: number;
  to: number;
  insert: string;
}

export interface Attribute extends Range {
  name: string;
  /** As it is written; undefined if there is only a name. */
  value: Range | undefined;
  /** The quotation mark around the value; empty without one. */
  quote: string;
}

/**
 * Finds the attributes of an opening tag, as the parser does.
 * @param masked  the source without Liquid
 * @param tag  from `<` to behind `>`
 */
export function scanAttributes(masked: string, tag: Range): Attribute[] {
  const attributes: Attribute[] = [];
  const last = tag.end - 1;
  let at = tag.start + nameLength(masked, tag) + 1;
  const isBlank = () => /\s/.test(masked[at] ?? '');
  while (at < last) {
    if (isBlank() || masked[at] === '/') {
      at += 1;
      continue;
    }
    const start = at;
    at += 1;
    while (at < last && !isBlank() && masked[at] !== '=' && masked[at] !== '/') at += 1;
    const name = masked.slice(start, at);
    const nameEnd = at;
    while (at < last && isBlank()) at += 1;
    if (masked[at] !== '=' || at >= last) {
      attributes.push({ name, start, end: nameEnd, value: undefined, quote: '' });
      continue;
    }
    at += 1;
    while (at < last && isBlank()) at += 1;
    const mark = masked[at]!;
    const quote = mark === '"' || mark === "'" ? mark : '';
    const valueStart = quote === '' ? at : at + 1;
    if (quote === '') while (at < last && !isBlank()) at += 1;
    else {
      const closing = masked.indexOf(quote, valueStart);
      at = closing < 0 || closing > last ? last : closing;
    }
    const value = { start: valueStart, end: at };
    if (quote !== '') at += 1;
    attributes.push({ name, start, end: Math.min(at, last), value, quote });
  }
  return attributes;
}

const nameLength = (masked: string, { start, end }: Range): number =>
  /^[^\s/>]*/.exec(masked.slice(start + 1, end))![0].length;

/** @returns the first attribute of a name, which is the one that counts */
export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | undefined =>
  attributes.find((attribute) => attribute.name === name);

export function readAttribute(
  source: string,
  attributes: readonly Attribute[],
  name: string,
): string | undefined {
  const attribute = findAttribute(attributes, name);
  if (attribute === undefined) return undefined;
  return attribute.value === undefined
    ? ''
    : decodeValue(source.slice(attribute.value.start, attribute.value.end));
}

/**
 * Writes an attribute of an opening tag and leaves its other bytes alone.
 * @param value  undefined removes it
 */
export function spliceAttribute(
  source: string,
  masked: string,
  tag: Range,
  name: string,
  value: string | undefined,
): Splice[] {
  const attributes = scanAttributes(masked, tag);
  const attribute = findAttribute(attributes, name);
  if (value === undefined) {
    if (attribute === undefined) return [];
    // Without the blanks before it, what follows at once would belong to what is before.
    const isLast = /[\s/>]/.test(masked[attribute.end] ?? '');
    const before = isLast ? /\s*$/.exec(masked.slice(tag.start, attribute.start))![0].length : 0;
    return [{ from: attribute.start - before, to: attribute.end, insert: '' }];
  }
  if (readAttribute(source, attributes, name) === value) return [];
  if (attribute === undefined) {
    const at = attributes.at(-1)?.end ?? tag.start + 1 + nameLength(masked, tag);
    return [{ from: at, to: at, insert: ` ${name}="${encodeValue(value)}"` }];
  }
  if (attribute.value === undefined)
    return [{ from: attribute.end, to: attribute.end, insert: `="${encodeValue(value)}"` }];
  const { start: from, end: to } = attribute.value;
  if (attribute.quote === '') return [{ from, to, insert: `"${encodeValue(value)}"` }];
  return [{ from, to, insert: encodeValue(value, attribute.quote) }];
}

/** @param splices  in the order of the source, without overlaps */
export function applySplices(source: string, splices: readonly Splice[]): string {
  let result = '';
  let at = 0;
  for (const { from, to, insert } of splices.toSorted((one, other) => one.from - other.from)) {
    result += source.slice(at, from) + insert;
    at = to;
  }
  return result + source.slice(at);
}

const entities: Record<string, string> = {
  quot: '"',
  apos: "'",
  amp: '&',
  lt: '<',
  gt: '>',
  '#39': "'",
  '#123': '{',
};

/** Replaces the entities that `encodeValue` writes; all others are shown as they are written. */
const decodeValue = (raw: string): string =>
  raw.replaceAll(/&(quot|apos|amp|lt|gt|#39|#123);/g, (_, name: string) => entities[name]!);

/** Liquid stays as it is: it is replaced before anything reads the attribute. So do entities that are shown as written. */
export const encodeValue = (value: string, quote = '"'): string =>
  splitLiquid(value)
    .map(({ text, token }) =>
      token === undefined
        ? withoutDelimiters(text.replaceAll(/&(?=(?:quot|apos|amp|lt|gt|#39|#123);)/g, '&amp;'))
            .replaceAll('<', '&lt;')
            .replaceAll('>', '&gt;')
            .replaceAll(quote, quote === '"' ? '&quot;' : '&#39;')
        : text,
    )
    .join('');
