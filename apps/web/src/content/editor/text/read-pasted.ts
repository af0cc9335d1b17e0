import { isAsWritten, withAsWritten } from '@reachout/contract/rules/as-written.ts';
import {
  droppedElements,
  elementOfMark,
  headingLevel,
  hidingStyle,
  lineElements,
  linkAddress,
  marksOfStyle,
  paragraphElements,
} from '@reachout/contract/rules/rich-text.ts';
import type { JSONContent } from '@tiptap/core';
import { ElementType, Parser, parseDocument } from 'htmlparser2';
import { isLiquid } from '#web/content/editor/source/liquid.ts';
import { bareParagraph, markOf, type Written } from './rich-text.ts';

type Parsed = ReturnType<typeof parseDocument>['children'][number];
type Element = Extract<Parsed, { attribs: object }>;
type Marks = NonNullable<JSONContent['marks']>;

/** Programs for texts write a kilobyte for each word. Of more than this, the plain text is pasted. */
const mostRead = 4_000_000;
/** Elements within each other, beyond which the plain text is pasted. */
const deepest = 400;
/** Of one element; those that programs write are shorter. */
const mostClasses = 20;
const mostStyle = 10_000;

/**
 * @returns what a text can take of copied HTML: words, marks, links, lists, headings and quotes, without colors and fonts. Cells of a
 *   table stand beside each other in a line. Empty if there is nothing that could be read
 */
export function readPasted(html: string): JSONContent[] {
  if (isTooMuch(html)) return [];
  const { children } = parseDocument(html);
  const reader = new PastedReader(stylesOfClasses(children));
  try {
    reader.readAll(children, {
      marks: [],
      // A text of this editor.
      keepsBlanks: html.includes('data-pm-slice='),
      isHeading: false,
      level: 0,
      isOrdered: false,
      hasMarker: false,
    });
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
  return reader.end();
}

/** @returns the alternative texts of the pictures in copied HTML, of which a text can take none; empty for those without one */
export function picturesIn(html: string): string[] {
  if (isTooMuch(html)) return [];
  const found: string[] = [];
  const open: Parsed[] = parseDocument(html).children.toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type !== ElementType.Tag) continue;
    const { name, attribs, children } = node;
    // Of one pixel: it tells the sender that it was loaded.
    const isHidden = [attribs['width'], attribs['height']].some((size) => /^[01](?:px)?$/.test(size ?? ''));
    if (name === 'img' && !isHidden && emojiOf(attribs) === undefined)
      found.push((attribs['alt'] ?? '').trim());
    for (const child of children.toReversed()) open.push(child);
  }
  return found;
}

/** The parser takes quadratic time for elements within each other; which ones it ends by itself, it knows alone. */
function isTooMuch(html: string): boolean {
  if (html.length > mostRead) return true;
  let open = 0;
  const parser = new Parser({
    onopentagname: () => {
      open += 1;
      if (open > deepest) parser.pause();
    },
    onclosetag: () => {
      if (open <= deepest) open -= 1;
    },
  });
  parser.end(html);
  return open > deepest;
}

/** @returns paragraphs of copied text; blanks stay as they are */
export const readPastedText = (text: string): JSONContent[] =>
  withoutLastLines(
    text
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll('\t', ' ')
      .replace(/^\s*\n/, ''),
  )
    .split(/\n(?:[^\S\n]*\n)+/)
    .map((paragraph) => bareParagraph(withBreaks(paragraph, [])))
    .filter(({ content }, _, all) => all.length > 1 || content !== undefined);

/** Removes empty lines from the end: a pattern would read a long gap again from each of its lines. */
function withoutLastLines(text: string): string {
  const end = text.indexOf('\n', text.trimEnd().length);
  return end < 0 ? text : text.slice(0, end);
}

const withBreaks = (text: string, marks: Marks): JSONContent[] =>
  text
    .split('\n')
    .flatMap((line, index): JSONContent[] => [
      ...(index > 0 ? [{ type: 'lineBreak' }] : []),
      ...(line === '' ? [] : [withMarks({ type: 'text', text: line }, marks)]),
    ]);

const withMarks = (node: JSONContent, marks: Marks): JSONContent =>
  marks.length > 0 ? { ...node, marks } : node;

/** Mail programs show some letters as pictures. */
const emojiOf = ({ alt = '' }: Record<string, string>): string | undefined =>
  alt.length < 16 && /^\p{Extended_Pictographic}/u.test(alt) ? alt : undefined;

/** Spreadsheets say what is bold with classes. */
function stylesOfClasses(nodes: readonly Parsed[]): Map<string, string> {
  const styles = new Map<string, string>();
  for (const node of nodes) {
    if (node.type !== ElementType.Style && node.type !== ElementType.Tag) continue;
    if (node.type === ElementType.Tag) {
      if (['html', 'head', 'body', 'google-sheets-html-origin'].includes(node.name))
        for (const [name, style] of stylesOfClasses(node.children)) styles.set(name, style);
      continue;
    }
    const text = node.children.map((child) => (child.type === ElementType.Text ? child.data : '')).join('');
    for (const rule of text.split('}')) {
      const [selectors = '', style] = rule.split('{');
      if (style === undefined) continue;
      for (const selector of selectors.split(',')) {
        const name = /^\s*\w*\.([\w-]+)\s*$/.exec(selector)?.[1];
        if (name !== undefined) styles.set(name, `${styles.get(name) ?? ''};${style}`);
      }
    }
  }
  return styles;
}

/** What the elements around a piece of text say of it. */
interface Around {
  marks: Marks;
  keepsBlanks: boolean;
  isHeading: boolean;
  /** Of lists directly within each other. */
  level: number;
  isOrdered: boolean;
  /** Within an item of Word, which is a paragraph with its number or bullet. */
  hasMarker: boolean;
}

class PastedReader {
  readonly #styles: ReadonlyMap<string, string>;
  readonly #depth: number;
  readonly #blocks: JSONContent[] = [];
  /** Of the paragraph or heading that is being read. */
  #inline: JSONContent[] = [];
  #heading: number | undefined;
  /** What follows stands in another line of the same paragraph. */
  #isLineOver = false;
  /** Empty lines since the last block. */
  #blankLines = 0;

  constructor(styles: ReadonlyMap<string, string>, depth = 0) {
    this.#styles = styles;
    this.#depth = depth;
  }

  end(): JSONContent[] {
    this.#endBlock();
    return this.#blocks;
  }

  readAll(nodes: readonly Parsed[], around: Around, depth = this.#depth): void {
    if (depth > deepest) throw new RangeError('Too many elements within each other.');
    for (const node of nodes)
      if (node.type === ElementType.Text) this.#text(node.data, around);
      else if (node.type === ElementType.Tag && !droppedElements.has(node.name))
        this.#element(node, around, depth + 1);
  }

  #element(node: Element, outer: Around, depth: number): void {
    const { name, attribs, children } = node;
    const style = this.#styleOf(attribs);
    if (hidingStyle.test(style)) return;
    const code = attribs['data-liquid'];
    if (code !== undefined && isLiquid(code))
      return this.#add(withMarks({ type: 'liquid', attrs: { code } }, outer.marks));
    if (outer.hasMarker && isMarker(node)) return;
    if (name === 'br') return this.#break();
    if (name === 'img') return this.#text(emojiOf(attribs) ?? '', outer);
    const around = this.#within(node, style, outer);
    const inner = (nodes: readonly Parsed[], hasMarker = around.hasMarker): JSONContent[] => {
      const reader = new PastedReader(this.#styles, depth);
      reader.readAll(nodes, { ...around, level: 0, hasMarker });
      return reader.end();
    };
    const item = /mso-list:\s*\S{1,40}\s+level(\d+)/i.exec(style);
    if (name === 'p' && item) {
      const isOrdered = /^\s*(?:\d+|[a-z]{1,5})[.)]/i.test(markerIn(children) ?? '');
      this.#item(Number(item[1]), isOrdered, inner(children, true));
    } else if (name === 'ul' || name === 'ol') {
      this.#endBlock();
      this.readAll(children, { ...around, level: around.level + 1, isOrdered: name === 'ol' }, depth);
      this.#endBlock();
    } else if (name === 'li') {
      const level = Number(attribs['data-aria-level'] ?? around.level) || 1;
      this.#item(level, around.isOrdered, inner(children));
    } else if (name === 'blockquote') {
      const content = inner(children);
      if (content.length > 0) this.#push({ type: 'quote', attrs: { written: {} }, content });
    } else if (name === 'tr') this.#row(children.map((cell) => inner([cell])));
    else if (headingLevel(name) !== undefined) {
      this.#endBlock();
      this.#heading = headingLevel(name);
      this.readAll(children, around, depth);
      this.#endBlock();
    } else if (attribs['data-paragraph'] !== undefined && children.length === 0)
      this.#push(bareParagraph([]));
    else if (paragraphElements.has(name) || attribs['data-paragraph'] !== undefined) {
      this.#endBlock();
      this.readAll(children, around, depth);
      this.#endBlock();
    } else {
      const isLine = lineElements.has(name)
        ? !/display:\s*inline/i.test(style)
        : /display:\s*(?:block|flex|grid)/i.test(style);
      if (isLine) this.#endLine();
      this.readAll(children, around, depth);
      if (isLine) this.#endLine();
    }
  }

  #styleOf(attribs: Record<string, string>): string {
    const ofClasses = (attribs['class'] ?? '')
      .split(/\s+/, mostClasses)
      .map((name) => this.#styles.get(name) ?? '');
    return [...ofClasses, attribs['style'] ?? ''].join(';').slice(0, mostStyle);
  }

  #within({ name, attribs }: Element, style: string, outer: Around): Around {
    const marks = new Map(outer.marks.map((mark) => [mark.type, mark]));
    const set = (type: string, element: string, written: Written = {}) => {
      if (!marks.has(type)) marks.set(type, { type, attrs: { element, written } });
    };
    const isHeading = outer.isHeading || headingLevel(name) !== undefined;
    // Own texts are copied with the address beside the link, which leads nowhere in the editor.
    const href = attribs['href'] ?? attribs['data-link'] ?? '';
    if (name === 'a' && (linkAddress.test(href) || isLiquid(href)))
      set('link', 'a', { href, ...(isAsWritten(attribs['rel']) && { rel: withAsWritten('', true) }) });
    const own = markOf(name);
    if (own !== undefined && own !== 'link' && own !== 'span') set(own, name);
    if (name === 'th') set('bold', 'strong');
    if (name === 'del' || name === 'strike') set('strike', 's');
    for (const [mark, isSet] of marksOfStyle(style, { isLink: marks.has('link'), isHeading }))
      if (isSet) set(mark, elementOfMark[mark]!);
      else marks.delete(mark);
    const blanks = /white-space(?:-collapse)?:\s*(\w+)/i.exec(style)?.[1];
    const keepsBlanks =
      blanks === undefined ? name === 'pre' || outer.keepsBlanks : /^(?:pre|break)/i.test(blanks);
    return { ...outer, marks: [...marks.values()], keepsBlanks, isHeading };
  }

  #text(data: string, { marks, keepsBlanks }: Around): void {
    if (keepsBlanks && data.trim() !== '') {
      for (const [index, line] of data
        .replaceAll(/\r\n?/g, '\n')
        .replaceAll('\t', ' ')
        .split('\n')
        .entries()) {
        if (index > 0) this.#break();
        if (line !== '') this.#add(withMarks({ type: 'text', text: line }, marks));
      }
      return;
    }
    const words = data.replaceAll(/[ \t\r\n\f]+/g, ' ');
    const last = this.#isLineOver ? undefined : this.#inline.at(-1);
    const isStart = last === undefined || last.type === 'lineBreak' || last.text?.endsWith(' ') === true;
    const text = isStart ? words.replace(/^ /, '') : words;
    if (text !== '') this.#add(withMarks({ type: 'text', text }, marks));
  }

  #add(node: JSONContent): void {
    if (this.#isLineOver && this.#inline.length > 0) this.#inline.push({ type: 'lineBreak' });
    this.#isLineOver = false;
    this.#inline.push(node);
  }

  /** An empty line ends a paragraph. */
  #break(): void {
    if (this.#inline.length > 0 && !this.#isLineOver) {
      this.#inline.push({ type: 'lineBreak' });
      return;
    }
    this.#endBlock();
    this.#blankLines += 1;
  }

  #endLine(): void {
    this.#trim();
    this.#isLineOver = this.#inline.length > 0;
  }

  /** A blank and a single line break at the end of a line show nothing. */
  #trim(): void {
    for (const type of ['text', 'lineBreak', 'text']) {
      const last = this.#inline.at(-1);
      if (last?.type !== type) continue;
      if (type === 'text') last.text = last.text!.replace(/(?<! ) +$/, '');
      if (type === 'lineBreak' || last.text === '') this.#inline.pop();
    }
  }

  #endBlock(): void {
    this.#trim();
    const content = this.#inline;
    const level = this.#heading;
    this.#inline = [];
    this.#heading = undefined;
    this.#isLineOver = false;
    if (content.every(({ type, text = '' }) => type !== 'liquid' && text.trim() === '')) {
      // Word writes an empty line as a paragraph with a blank.
      if (content.length > 0) this.#blankLines += 1;
      return;
    }
    this.#push(
      level === undefined
        ? bareParagraph(content)
        : { type: 'heading', attrs: { level, written: {} }, content },
    );
  }

  /** The first of several empty lines is the gap that paragraphs have anyway. */
  #push(...blocks: JSONContent[]): void {
    this.#endBlock();
    if (this.#blocks.length > 0)
      for (; this.#blankLines > 1; this.#blankLines -= 1) this.#blocks.push(bareParagraph([]));
    this.#blankLines = 0;
    this.#blocks.push(...blocks);
  }

  /** @param level  from 1; at most one more than that of the item before */
  #item(level: number, isOrdered: boolean, content: JSONContent[]): void {
    this.#endBlock();
    this.#blankLines = 0;
    let around = this.#blocks;
    for (let depth = 1; depth < level; depth += 1) {
      const list = around.at(-1);
      if (list?.type !== 'list') break;
      around = list.content!.at(-1)!.content!;
    }
    const item = {
      type: 'listItem',
      attrs: { written: {} },
      content: content.length > 0 ? content : [bareParagraph([])],
    };
    const list = around.at(-1);
    if (list?.type === 'list' && list.attrs!['isOrdered'] === isOrdered) list.content!.push(item);
    else around.push({ type: 'list', attrs: { isOrdered, written: {} }, content: [item] });
  }

  /** Cells of data stand beside each other; those that arrange other blocks, below each other. */
  #row(cells: readonly JSONContent[][]): void {
    const filled = cells.filter((cell) => cell.length > 0);
    if (filled.some((cell) => cell.length > 1 || cell[0]!.type !== 'paragraph'))
      return this.#push(...filled.flat());
    this.#endLine();
    for (const [index, [cell]] of filled.entries()) {
      if (index > 0) this.#add({ type: 'text', text: ' ' });
      for (const node of cell!.content ?? []) this.#add(node);
    }
    this.#endLine();
    return undefined;
  }
}

const isMarker = ({ attribs }: Element): boolean => /mso-list:\s*ignore/i.test(attribs['style'] ?? '');

function markerIn(nodes: readonly Parsed[]): string | undefined {
  for (const node of nodes) {
    if (node.type !== ElementType.Tag) continue;
    const found = isMarker(node) ? wordsOf(node) : markerIn(node.children);
    if (found !== undefined) return found;
  }
  return undefined;
}

function wordsOf(node: Parsed): string {
  if (node.type === ElementType.Text) return node.data;
  return node.type === ElementType.Tag ? node.children.map(wordsOf).join('') : '';
}
