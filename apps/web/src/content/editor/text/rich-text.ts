import type { JSONContent } from '@tiptap/core';
import { ElementType, parseDocument } from 'htmlparser2';
import { encodeValue } from '#web/content/editor/source/attributes.ts';
import {
  scanLiquid,
  splitLiquid,
  withoutDelimiters,
  type LiquidToken,
} from '#web/content/editor/source/liquid.ts';

/** Attributes as they are written, such as `style`; they may contain Liquid. */
export type Written = Record<string, string>;

type Nodes = ReturnType<typeof parseDocument>['children'];
type Parsed = Nodes[number];

/** Marks, from the outside to the inside, with the elements that stand for them. */
const marks: Record<string, string> = {
  a: 'link',
  span: 'span',
  strong: 'bold',
  b: 'bold',
  em: 'italic',
  i: 'italic',
  u: 'underline',
  s: 'strike',
};
const markOrder = ['link', 'span', 'bold', 'italic', 'underline', 'strike'];
const blocks: Record<string, string> = {
  p: 'paragraph',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  ul: 'list',
  ol: 'list',
  li: 'listItem',
  blockquote: 'quote',
};

class Unknown extends Error {}

/** Stand for a piece of Liquid while the rest is parsed; they occur in no text that people write. */
const [opening, closing] = ['\u{f0001}', '\u{f0002}'];
const pieces = new RegExp(`${opening}(\\d+)${closing}`, 'gu');

/**
 * Reads the content of a text block.
 * @returns a document of the text editor; undefined if the content has what the editor would lose, such as a table
 */
export function readText(content: string): JSONContent | undefined {
  if (content.includes(opening)) return undefined;
  const tokens = scanLiquid(content);
  let masked = '';
  let at = 0;
  for (const [index, { start, end }] of tokens.entries()) {
    masked += `${content.slice(at, start)}${opening}${index}${closing}`;
    at = end;
  }
  masked += content.slice(at);
  const reader = new Reader(content, tokens);
  try {
    return {
      type: 'doc',
      content: reader.blocks(parseDocument(masked, { lowerCaseAttributeNames: false }).children),
    };
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

class Reader {
  readonly #content: string;
  readonly #tokens: LiquidToken[];

  constructor(content: string, tokens: LiquidToken[]) {
    this.#content = content;
    this.#tokens = tokens;
  }

  /** Text between blocks becomes a paragraph without an element. */
  blocks(nodes: readonly Parsed[]): JSONContent[] {
    const found: JSONContent[] = [];
    let bare: Parsed[] = [];
    const flush = () => {
      const content = trimmed(bare.flatMap((node) => this.#inline(node, [])));
      if (content.length > 0)
        found.push({ type: 'paragraph', attrs: { isBare: true, written: {} }, content });
      bare = [];
    };
    for (const node of nodes) {
      const type = node.type === ElementType.Tag ? blocks[node.name] : undefined;
      if (node.type !== ElementType.Tag || type === undefined) {
        bare.push(node);
        continue;
      }
      flush();
      found.push(this.#block(node.name, type, this.#written(node.attribs), node.children));
    }
    flush();
    return found.length === 0 ? [{ type: 'paragraph', attrs: { isBare: true, written: {} } }] : found;
  }

  #block(name: string, type: string, written: Written, children: Nodes): JSONContent {
    if (type === 'list') {
      const items = children.filter((child) => !isBlankText(child));
      if (items.length === 0 || items.some((item) => item.type !== ElementType.Tag || item.name !== 'li'))
        throw new Unknown();
      return { type, attrs: { isOrdered: name === 'ol', written }, content: this.blocks(items) };
    }
    if (type === 'listItem' || type === 'quote')
      return { type, attrs: { written }, content: this.blocks(children) };
    const content = trimmed(children.flatMap((child) => this.#inline(child, [])));
    const attrs = type === 'heading' ? { level: Number(name[1]), written } : { isBare: false, written };
    return { type, attrs, ...(content.length > 0 ? { content } : {}) };
  }

  #inline(node: Parsed, around: NonNullable<JSONContent['marks']>): JSONContent[] {
    const marked = around.length > 0 ? { marks: around } : {};
    if (node.type === ElementType.Text) {
      const text = node.data.replaceAll(/[^\S\u00a0]+/gu, ' ');
      return text
        .split(pieces)
        .flatMap((piece, index): JSONContent[] =>
          index % 2 === 1
            ? [{ type: 'liquid', attrs: { code: this.#codeOf(piece) }, ...marked }]
            : piece === ''
              ? []
              : [{ type: 'text', text: piece, ...marked }],
        );
    }
    if (node.type !== ElementType.Tag) throw new Unknown();
    if (node.name === 'br') {
      if (Object.keys(node.attribs).length > 0) throw new Unknown();
      return [{ type: 'lineBreak' }];
    }
    const type = marks[node.name];
    if (type === undefined || around.some((mark) => mark.type === type)) throw new Unknown();
    const mark = { type, attrs: { element: node.name, written: this.#written(node.attribs) } };
    return node.children.flatMap((child) => this.#inline(child, [...around, mark]));
  }

  #codeOf(index: string): string {
    const { start, end } = this.#tokens[Number(index)]!;
    return this.#content.slice(start, end);
  }

  #written(attributes: Record<string, string>): Written {
    return Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => {
        if (name.includes(opening)) throw new Unknown();
        return [name, value.replaceAll(pieces, (_, index: string) => this.#codeOf(index))];
      }),
    );
  }
}

const isBlankText = (node: Parsed): boolean => node.type === ElementType.Text && node.data.trim() === '';

/** Blanks at both ends of a block show nothing. */
function trimmed(nodes: JSONContent[]): JSONContent[] {
  const trim = (node: JSONContent | undefined, pattern: RegExp) => {
    if (node?.type === 'text') node.text = node.text!.replace(pattern, '');
  };
  trim(nodes[0], /^ +/);
  trim(nodes.at(-1), / +$/);
  return nodes.filter((node) => node.type !== 'text' || node.text !== '');
}

/** Between paragraphs that a person starts in a text that had none. */
const paragraphStyle = (isLast: boolean): string => `margin:0${isLast ? '' : ' 0 16px'}`;

/** @returns the content of a text block */
export const writeText = (document: JSONContent): string => writeBlocks(document.content ?? []);

const blockNames = new Set(Object.values(blocks));

function writeBlocks(nodes: readonly JSONContent[]): string {
  return nodes
    .map((node, index) => {
      const { type, attrs = {}, content = [] } = node;
      if (type === undefined || !blockNames.has(type)) return '';
      const written = attrs['written'] as Written;
      if (type === 'list')
        return element(attrs['isOrdered'] === true ? 'ol' : 'ul', written, writeBlocks(content));
      if (type === 'listItem') return element('li', written, writeBlocks(content));
      if (type === 'quote') return element('blockquote', written, writeBlocks(content));
      const text = writeInline(content);
      if (type === 'heading') return element(`h${Number(attrs['level'])}`, written, text);
      // Next to another paragraph, a paragraph needs its element. Tags around paragraphs are none.
      const isBeside =
        !isTags(node) &&
        [nodes[index - 1], nodes[index + 1]].some((other) => other?.type === 'paragraph' && !isTags(other));
      if (attrs['isBare'] !== true) return element('p', written, text);
      return isBeside ? element('p', { style: paragraphStyle(index === nodes.length - 1) }, text) : text;
    })
    .join('');
}

/** Whether it only encloses what is beside it, such as `{% if %}`. */
const isTags = ({ attrs, content = [] }: JSONContent): boolean =>
  attrs?.['isBare'] === true &&
  content.length > 0 &&
  content.every(({ type, attrs: own, text }) =>
    type === 'liquid' ? String(own?.['code']).startsWith('{%') : text?.trim() === '',
  );

const element = (name: string, written: Written, content: string): string =>
  `${tag(name, written)}${content}</${name}>`;

const tag = (name: string, written: Written): string =>
  `<${name}${Object.entries(written)
    .map(([attribute, value]) => ` ${attribute}="${encodeValue(value)}"`)
    .join('')}>`;

function writeInline(nodes: readonly JSONContent[]): string {
  let result = '';
  let open: NonNullable<JSONContent['marks']> = [];
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const close = (keep: number) => {
    for (const { attrs = {} } of open.slice(keep).toReversed()) result += `</${String(attrs['element'])}>`;
    open = open.slice(0, keep);
  };
  for (const node of nodes) {
    const wanted = [...(node.marks ?? [])].sort(
      (one, other) => markOrder.indexOf(one.type) - markOrder.indexOf(other.type),
    );
    let shared = 0;
    while (shared < open.length && isSame(open[shared], wanted[shared])) shared += 1;
    close(shared);
    for (const mark of wanted.slice(shared)) {
      const { attrs = {} } = mark;
      result += tag(String(attrs['element']), attrs['written'] as Written);
      open.push(mark);
    }
    if (node.type === 'lineBreak') result += '<br />';
    else if (node.type === 'liquid') result += String(node.attrs?.['code']);
    else result += encodeText(node.text ?? '');
  }
  close(0);
  return result;
}

/** Liquid that a person types is Liquid. */
const encodeText = (text: string): string =>
  splitLiquid(text)
    .map(({ text: piece, token }) =>
      token === undefined
        ? withoutDelimiters(piece.replaceAll('&', '&amp;'))
            .replaceAll('<', '&lt;')
            .replaceAll('>', '&gt;')
            .replaceAll('\u00a0', '&nbsp;')
        : piece,
    )
    .join('');
