import { applySplices, findAttribute, type Splice } from '#web/content/editor/source/attributes.ts';
import { scanLiquid, splitLiquid, type LiquidToken, type Range } from '#web/content/editor/source/liquid.ts';
import { isContainer, listBlocks } from '#web/content/editor/source/operations.ts';
import { listNodes, type ParsedSource, type SourceElement } from '#web/content/editor/source/parse-source.ts';

export interface CanvasTexts {
  /** What stands for merge tags in attributes, such as the color of the brand. */
  values: Readonly<Record<string, string>>;
  /** The name of a merge tag that a person reads. */
  nameOf: (path: string) => string;
}

/** In the compiled HTML, blocks have this class with their index in `listBlocks`. */
export const blockClass = 'rx-block-';

/** Around blocks that have no element of their own. */
const blockComment = (index: number, isEnd: boolean): string =>
  `<!--${isEnd ? '/' : ''}${blockClass}${index}-->`;

/**
 * Prepares a copy of the source for the canvas: blocks are marked with where they stand in the source, merge tags become
 * readable, and nothing of Liquid is left to execute.
 */
export function markSource(parsed: ParsedSource, texts: CanvasTexts): string {
  const { source, tokens, tags, body } = parsed;
  const blocks = listBlocks(parsed);
  const elements = new Map<number, SourceElement>();
  for (const node of listNodes(parsed.roots)) if (node.kind === 'element') elements.set(node.start, node);
  const marked = new Map(
    blocks.flatMap(({ node }, index) => (node.kind === 'element' ? [[node, index] as const] : [])),
  );
  const splices: Splice[] = [];
  /** Within these, each piece of Liquid is replaced already. */
  const done: Range[] = [];
  for (const element of elements.values()) {
    splices.push(...valuesOf(source, element, texts, done));
    const index = marked.get(element);
    if (index === undefined) continue;
    if (element.name === 'mj-raw') splices.push(...aroundContent(element, index));
    else if (element.name.startsWith('mj-')) splices.push(...withClass(source, element, index, texts, done));
  }
  const kept = [...marked.keys()]
    .filter((element) => !isContainer(element))
    .map(({ contentStart, contentEnd }) => ({ start: contentStart, end: contentEnd }));
  const isDone = within(done.toSorted((one, other) => one.start - other.start));
  const isKept = within(kept);
  let tag = 0;
  for (const token of tokens) {
    const { start, end } = token;
    if (isDone(token)) continue;
    while (tag < tags.length && tags[tag]!.end <= start) tag += 1;
    const isInTag = tags[tag] !== undefined && tags[tag]!.start < start && end < tags[tag]!.end;
    const isInBody = body !== undefined && start >= body.contentStart && end <= body.contentEnd;
    const isInText = isKept(token);
    const insert = isInTag || !isInBody ? valueOf(token, texts) : isInText ? chip(token, texts) : '';
    splices.push({ from: start, to: end, insert });
  }
  return applySplices(source, splices);
}

/**
 * @param ranges  in the order of the source, without overlaps
 * @returns tells whether a range is within one of them; asked in the order of the source
 */
function within(ranges: readonly Range[]): (inner: Range) => boolean {
  let index = 0;
  return ({ start, end }) => {
    while (index < ranges.length && ranges[index]!.end < end) index += 1;
    const range = ranges[index];
    return range !== undefined && range.start <= start && end <= range.end;
  };
}

/** Attributes with Liquid, and images without an address. */
function valuesOf(source: string, element: SourceElement, texts: CanvasTexts, done: Range[]): Splice[] {
  const splices: Splice[] = [];
  for (const { name, value, quote } of element.attributes) {
    if (value === undefined || name === 'css-class') continue;
    const raw = source.slice(value.start, value.end);
    const shown = fillIn(raw, texts);
    const isPicture = name === 'src' || name === 'background-url';
    const insert = isPicture && !/^(?:https?:|data:|\/)/i.test(shown) ? picture(raw, texts) : shown;
    done.push(value);
    if (insert !== raw)
      splices.push({ from: value.start, to: value.end, insert: quote === '' ? `"${insert}"` : insert });
  }
  return splices;
}

const fillIn = (text: string, texts: CanvasTexts): string =>
  splitLiquid(text)
    .map(({ text: piece, token }) => (token === undefined ? piece : valueOf(token, texts)))
    .join('');

function withClass(
  source: string,
  { start, name, attributes }: SourceElement,
  index: number,
  texts: CanvasTexts,
  done: Range[],
): Splice[] {
  const mark = `${blockClass}${index}`;
  const attribute = findAttribute(attributes, 'css-class');
  if (attribute?.value === undefined) {
    const at = start + 1 + name.length;
    return attribute === undefined ? [{ from: at, to: at, insert: ` css-class="${mark}"` }] : [];
  }
  const { value, quote } = attribute;
  const insert = `${fillIn(source.slice(value.start, value.end), texts)} ${mark}`;
  done.push(value);
  return [{ from: value.start, to: value.end, insert: quote === '' ? `"${insert}"` : insert }];
}

/** Raw HTML has no class. */
function aroundContent(
  { contentStart, contentEnd, isSelfClosing, isUnclosed }: SourceElement,
  index: number,
): Splice[] {
  if (isSelfClosing || isUnclosed) return [];
  return [
    { from: contentStart, to: contentStart, insert: blockComment(index, false) },
    { from: contentEnd, to: contentEnd, insert: blockComment(index, true) },
  ];
}

/** The variable of an output, such as `contact.first_name`. */
const pathOf = ({ code }: LiquidToken): string => /^[\w.-]+/.exec(code)?.[0] ?? '';

/** The text that is printed if the variable has no value. */
const fallbackOf = ({ code }: LiquidToken): string | undefined => {
  const found = /\|\s*default:\s*(?:"([^"]*)"|'([^']*)')/.exec(code);
  return found?.[1] ?? found?.[2];
};

function valueOf(token: LiquidToken, { values }: CanvasTexts): string {
  if (token.kind === 'tag') return '';
  return escapeHtml(values[pathOf(token)] ?? fallbackOf(token) ?? '');
}

const chip = (token: LiquidToken, texts: CanvasTexts): string =>
  `<span class="${token.kind === 'output' ? 'rx-chip' : 'rx-tag'}">${escapeHtml(nameOfToken(token, texts))}</span>`;

function nameOfToken(token: LiquidToken, { nameOf }: CanvasTexts): string {
  const path = pathOf(token);
  if (token.kind === 'tag') return `${token.name} ${token.code}`.trim();
  return path === '' ? token.code : nameOf(path);
}

/** What a person reads instead of a piece of Liquid. */
export const nameOfCode = (code: string, texts: CanvasTexts): string => {
  const [token] = scanLiquid(code);
  return token === undefined ? code : nameOfToken(token, texts);
};

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** Stands for an image whose address is not known yet. */
function picture(raw: string, { nameOf }: CanvasTexts): string {
  const [first] = splitLiquid(raw).flatMap(({ token }) => (token === undefined ? [] : [token]));
  const words = first === undefined ? '' : escapeHtml(nameOf(pathOf(first)));
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200" viewBox="0 0 600 200"><rect width="600" height="200" fill="#e0e4ea"/><g fill="none" stroke="#5c646f" stroke-width="4"><rect x="264" y="56" width="72" height="56" rx="6"/><path d="m264 102 22-20 16 14 14-10 20 18"/></g><text x="300" y="150" text-anchor="middle" font-family="Helvetica,Arial,sans-serif" font-size="22" fill="#444b55">${words}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing).replaceAll("'", '%27')}`;
}
