import { markElements, paragraphStyle } from '@reachout/contract/rules/rich-text.ts';
import type { JSONContent } from '@tiptap/core';
import { ElementType, parseDocument } from 'htmlparser2';
import { encodeValue } from '#web/content/editor/source/attributes.ts';
import { scanLiquid, withoutDelimiters, type LiquidToken } from '#web/content/editor/source/liquid.ts';

/** Attributes as they are written, such as `style`; they may contain Liquid. */
export type Written = Record<string, string>;

type Nodes = ReturnType<typeof parseDocument>['children'];
type Parsed = Nodes[number];
type Marks = NonNullable<JSONContent['marks']>;

/** Marks, from the outside to the inside, with the elements that stand for them. */
const marks: Record<string, string> = { a: 'link', span: 'span', ...markElements };
const markOrder = [...new Set(Object.values(marks))];

/** @returns the mark that an element stands for */
export const markOf = (element: string): string | undefined =>
  Object.hasOwn(marks, element) ? marks[element] : undefined;

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
      const content = bare.flatMap((node) => this.#inline(node, []));
      if (content.some(({ type, text = '' }) => type !== 'text' || /[^ ]/.test(text)))
        found.push(bareParagraph(collapsed(content)));
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
    return found.length === 0 ? [bareParagraph([])] : withoutOwnStyles(found);
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
    const content = collapsed(children.flatMap((child) => this.#inline(child, [])));
    const attrs = type === 'heading' ? { level: Number(name[1]), written } : { isBare: false, written };
    return { type, attrs, ...(content.length > 0 ? { content } : {}) };
  }

  #inline(node: Parsed, around: Marks): JSONContent[] {
    const marked = around.length > 0 ? { marks: around } : {};
    if (node.type === ElementType.Text) {
      return node.data
        .replaceAll(blanks, ' ')
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
    const type = markOf(node.name);
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

/** Those that HTML shows as one; others, such as a narrow one in a number, stay. */
const blanks = /[ \t\r\n\f]+/g;

/** A paragraph without an element, which gets one when it is written beside others. */
export const bareParagraph = (content: JSONContent[]): JSONContent => ({
  type: 'paragraph',
  attrs: { isBare: true, written: {} },
  ...(content.length > 0 ? { content } : {}),
});

/** In the text editor, all blanks and line breaks are shown. Here are those that are shown in the message, too. */
function collapsed(nodes: readonly JSONContent[]): JSONContent[] {
  const found: JSONContent[] = [];
  const trim = () => {
    const last = found.at(-1);
    if (last?.type !== 'text') return;
    last.text = last.text!.replace(/ $/, '');
    if (last.text === '') found.pop();
  };
  for (const node of nodes) {
    if (node.type === 'lineBreak') trim();
    const last = found.at(-1);
    const isStart = last === undefined || last.type === 'lineBreak' || last.text?.endsWith(' ') === true;
    const text = isStart ? node.text?.replace(/^ /, '') : node.text;
    if (text !== '') found.push(text === undefined ? node : { ...node, text });
  }
  trim();
  const [before, last] = [found.at(-2), found.at(-1)];
  // A line break at the end shows nothing, and the blank of an empty line is none of its text.
  const isFiller = last?.text === filler && (before === undefined || before.type === 'lineBreak');
  if (last?.type === 'lineBreak' || isFiller) found.pop();
  return found;
}

/** Gives a line without text its height. */
const filler = '\u00a0';

/** The style of a paragraph without an element of its own that stands beside another; undefined if it needs none. */
export function ownStyle(nodes: readonly JSONContent[], index: number): string | undefined {
  const isBeside =
    !isTags(nodes[index]!) &&
    [nodes[index - 1], nodes[index + 1]].some((other) => other?.type === 'paragraph' && !isTags(other));
  return isBeside ? paragraphStyle(index === nodes.length - 1) : undefined;
}

/** Paragraphs that the editor has written are again without an element, so that the ones that are added get the same gap. */
function withoutOwnStyles(nodes: JSONContent[]): JSONContent[] {
  const found = [...nodes];
  for (let start = 0; start < nodes.length; start += 1) {
    if (nodes[start]!.type !== 'paragraph') continue;
    let end = start;
    while (nodes[end + 1]?.type === 'paragraph') end += 1;
    const run = nodes.slice(start, end + 1).map((node) => bareParagraph(node.content ?? []));
    const after = [...nodes.slice(0, start), ...run, ...nodes.slice(end + 1)];
    const isOwn = run.every((_, index) => {
      const { isBare, written } = nodes[start + index]!.attrs!;
      const style = ownStyle(after, start + index);
      return isBare === false && style !== undefined && isSame(written, { style });
    });
    if (isOwn) found.splice(start, run.length, ...run);
    start = end;
  }
  return found;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** @returns the content of a text block */
export const writeText = ({ content: nodes = [] }: JSONContent): string =>
  // A block without a text stays one.
  nodes.length === 1 && nodes[0]!.content === undefined ? writeBlocks(nodes, '') : writeBlocks(nodes);

const blockNames = new Set(Object.values(blocks));

/** @param empty  stands for no text */
function writeBlocks(nodes: readonly JSONContent[], empty = filler): string {
  return nodes
    .map((node, index) => {
      const { type, attrs = {}, content = [] } = node;
      if (type === undefined || !blockNames.has(type)) return '';
      const written = attrs['written'] as Written;
      if (type === 'list')
        return element(attrs['isOrdered'] === true ? 'ol' : 'ul', written, writeBlocks(content));
      if (type === 'listItem') return element('li', written, writeBlocks(content));
      if (type === 'quote') return element('blockquote', written, writeBlocks(content));
      const isLineEmpty = content.length === 0 || content.at(-1)?.type === 'lineBreak';
      const text = writeInline(isLineEmpty ? [...content, { type: 'text', text: empty }] : content);
      if (type === 'heading') return element(`h${Number(attrs['level'])}`, written, text);
      if (attrs['isBare'] !== true) return element('p', written, text);
      const style = ownStyle(nodes, index);
      return style === undefined ? text : element('p', { style }, text);
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
  let open: Marks = [];
  const close = (keep: number) => {
    for (const { attrs = {} } of open.slice(keep).toReversed()) result += `</${String(attrs['element'])}>`;
    open = open.slice(0, keep);
  };
  for (const node of withFixedBlanks(withTags(nodes))) {
    const code = node.type === 'liquid' ? String(node.attrs?.['code']) : '';
    // An element that a condition leaves out at one of its ends would take in what follows.
    const wanted = code.startsWith('{%') ? [] : sorted(node.marks ?? []);
    let shared = 0;
    while (shared < open.length && isSame(open[shared], wanted[shared])) shared += 1;
    close(shared);
    for (const mark of wanted.slice(shared)) {
      const { attrs = {} } = mark;
      result += tag(String(attrs['element']), attrs['written'] as Written);
      open.push(mark);
    }
    if (node.type === 'lineBreak') result += '<br />';
    else if (node.type === 'liquid') result += code;
    else result += encodeText(node.text ?? '');
  }
  close(0);
  return result;
}

const sorted = (unsorted: Marks): Marks =>
  unsorted.toSorted((one, other) => markOrder.indexOf(one.type) - markOrder.indexOf(other.type));

interface TypedTag {
  /** In units of the text editor: a letter, or another node. */
  start: number;
  end: number;
  node: JSONContent;
}

/** Stands for a node that is no text. */
const object = '\u{fffc}';

const lengthOf = ({ type, text = '' }: JSONContent): number => (type === 'text' ? text.length : 1);

/** @returns the Liquid in what was typed or pasted, with all marks that a part of it has */
export function findTags(nodes: readonly JSONContent[]): TypedTag[] {
  const line = nodes
    .map(({ type, text = '' }) => (type === 'text' ? text : type === 'lineBreak' ? '\n' : object))
    .join('');
  const found: TypedTag[] = [];
  let before = 0;
  for (const piece of line.split(object)) {
    for (const token of scanLiquid(piece)) {
      const [start, end] = [before + token.start, before + token.end];
      let at = 0;
      const around = new Map<string, Marks[number]>();
      for (const node of nodes) {
        if (at < end && at + lengthOf(node) > start)
          for (const mark of node.marks ?? []) if (!around.has(mark.type)) around.set(mark.type, mark);
        at += lengthOf(node);
      }
      const code = piece.slice(token.start, token.end).replaceAll('\u00a0', ' ');
      const marked = around.size > 0 ? { marks: [...around.values()] } : {};
      found.push({ start, end, node: { type: 'liquid', attrs: { code }, ...marked } });
    }
    before += piece.length + 1;
  }
  return found;
}

/** Each piece of Liquid is one node, so that no element is written within it. */
function withTags(nodes: readonly JSONContent[]): JSONContent[] {
  const tags = findTags(nodes);
  if (tags.length === 0) return [...nodes];
  const found: JSONContent[] = [];
  let at = 0;
  for (const node of nodes) {
    const end = at + lengthOf(node);
    let from = at;
    const keep = (to: number) => {
      if (to > from)
        found.push(node.type === 'text' ? { ...node, text: node.text!.slice(from - at, to - at) } : node);
    };
    for (const typed of tags) {
      if (typed.end <= at || typed.start >= end) continue;
      keep(typed.start);
      if (typed.start >= at) found.push(typed.node);
      from = Math.min(end, typed.end);
    }
    keep(end);
    at = end;
  }
  return found;
}

/** Blanks that HTML would not show are written as fixed ones; the last of several lets the line break. */
function withFixedBlanks(nodes: readonly JSONContent[]): JSONContent[] {
  const line = nodes
    .map(({ type, text = '' }) => (type === 'text' ? text : type === 'lineBreak' ? '\n' : object))
    .join('')
    .replaceAll(/(?<=^|\n) +| +(?= )/g, (found) => filler.repeat(found.length));
  let at = 0;
  return nodes.map((node) => {
    const start = at;
    at += lengthOf(node);
    return node.type === 'text' ? { ...node, text: line.slice(start, at) } : node;
  });
}

/** Liquid that a person types is Liquid; what is left of it here is not complete. */
const encodeText = (text: string): string =>
  withoutDelimiters(text.replaceAll('&', '&amp;'))
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\u00a0', '&nbsp;');
