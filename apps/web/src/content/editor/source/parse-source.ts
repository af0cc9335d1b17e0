import { mjmlOuterElements } from '@reachout/contract/rules/mjml.ts';
import { Parser } from 'htmlparser2';
import { scanAttributes, type Attribute } from './attributes.ts';
import { maskLiquid, scanLiquid, type LiquidToken, type Range } from './liquid.ts';

/** What stands in an element that has elements inside, besides comments and text, which MJML drops. */
export type SourceNode = SourceElement | SourceCondition | SourceLiquid;

export interface SourceElement extends Range {
  kind: 'element';
  name: string;
  readonly attributes: Attribute[];
  /** Behind the opening tag. */
  contentStart: number;
  /** Before the closing tag. */
  contentEnd: number;
  /** Written as `<name />`. */
  isSelfClosing: boolean;
  /** Without a closing tag, MJML drops its content. */
  isUnclosed: boolean;
  /** Only of elements that have elements inside. */
  children: SourceNode[];
}

/** A Liquid block around elements, such as `{% if %}…{% endif %}`. */
export interface SourceCondition extends Range {
  kind: 'condition';
  branches: SourceBranch[];
  /** Loops and the like: their elements are not one of several. */
  name: string;
}

export interface SourceBranch extends Range {
  kind: 'branch';
  tag: LiquidToken;
  contentStart: number;
  contentEnd: number;
  children: SourceNode[];
}

/** Liquid between elements that encloses none, or encloses what is not to be read, such as comments. */
export interface SourceLiquid extends Range {
  kind: 'liquid';
  token: LiquidToken;
}

/** What has nodes inside. */
export type SourceContainer = SourceElement | SourceBranch;

export interface ParsedSource {
  source: string;
  masked: string;
  tokens: LiquidToken[];
  /** Elements that stand in no other; a complete document has one, `mjml`. */
  roots: SourceNode[];
  /** Undefined if this is no document that MJML could compile. */
  body: SourceElement | undefined;
  head: SourceElement | undefined;
  /** All opening tags, also those within kept content, in the order of the source. */
  tags: Range[];
}

/** Reads the structure of MJML with Liquid. Never throws: what is no element stays text. */
export function parseSource(source: string): ParsedSource {
  const tokens = scanLiquid(source);
  const masked = maskLiquid(source, tokens);
  const builder = new TreeBuilder(masked, tokens);
  const roots = builder.build();
  const mjml = roots.find((node) => node.kind === 'element' && node.name === 'mjml');
  const inner = mjml?.kind === 'element' ? mjml.children : [];
  const find = (name: string) =>
    inner.find((node): node is SourceElement => node.kind === 'element' && node.name === name);
  return { source, masked, tokens, roots, body: find('mj-body'), head: find('mj-head'), tags: builder.tags };
}

/** No email has more; what is deeper is kept as it is. */
const mostLevels = 40;
/** Pieces of Liquid between the elements of one element; with more, none is read as enclosing others. */
const mostPieces = 2_000;

class TreeBuilder {
  readonly #masked: string;
  readonly #tokens: LiquidToken[];
  readonly #roots: SourceElement[] = [];
  /** Open elements; those within kept content are none of ours. */
  readonly #open: (SourceElement | undefined)[] = [];
  readonly #comments: Range[] = [];
  readonly tags: Range[] = [];
  readonly #elements = new Map<SourceElement, SourceElement[]>();

  constructor(masked: string, tokens: LiquidToken[]) {
    this.#masked = masked;
    this.#tokens = tokens;
  }

  build(): SourceNode[] {
    const masked = this.#masked;
    let isEnd = false;
    const parser = new Parser(
      {
        onopentag: (name) => this.#start(name, parser.startIndex, parser.endIndex + 1),
        onclosetag: (_name, isImplied) =>
          isEnd
            ? this.#end(masked.length, masked.length, true)
            : this.#end(parser.startIndex, endOfTag(masked, parser.endIndex), isImplied),
        oncomment: () => this.#comments.push({ start: parser.startIndex, end: parser.endIndex + 1 }),
      },
      // As MJML and the server parse it.
      {
        recognizeCDATA: true,
        decodeEntities: false,
        recognizeSelfClosing: true,
        lowerCaseAttributeNames: false,
      },
    );
    parser.write(masked);
    isEnd = true;
    parser.end();
    return this.#arrange(this.#roots, { start: 0, end: masked.length });
  }

  #start(name: string, start: number, end: number): void {
    this.tags.push({ start, end });
    const parent = this.#open.at(-1);
    const isKept =
      this.#open.length > 0 &&
      (parent === undefined || !mjmlOuterElements.has(parent.name) || this.#open.length >= mostLevels);
    if (isKept) {
      this.#open.push(undefined);
      return;
    }
    const masked = this.#masked;
    let attributes: Attribute[] | undefined;
    const element: SourceElement = {
      kind: 'element',
      name,
      // Read when they are needed: while a text is typed, few are.
      get attributes() {
        attributes ??= scanAttributes(masked, { start, end });
        return attributes;
      },
      start,
      contentStart: end,
      contentEnd: end,
      end,
      isSelfClosing: false,
      isUnclosed: false,
      children: [],
    };
    (parent === undefined ? this.#roots : this.#inner(parent)).push(element);
    this.#open.push(element);
  }

  #end(start: number, end: number, isImplied: boolean): void {
    const element = this.#open.pop();
    if (element === undefined) return;
    element.isSelfClosing = end === element.contentStart;
    if (!element.isSelfClosing) {
      element.isUnclosed = isImplied;
      element.contentEnd = Math.max(start, element.contentStart);
      element.end = isImplied ? element.contentEnd : end;
    }
    if (mjmlOuterElements.has(element.name))
      element.children = this.#arrange(this.#inner(element), {
        start: element.contentStart,
        end: element.contentEnd,
      });
  }

  #inner(element: SourceElement): SourceElement[] {
    const inner = this.#elements.get(element) ?? [];
    this.#elements.set(element, inner);
    return inner;
  }

  /** Puts elements into the Liquid blocks around them. */
  #arrange(elements: SourceElement[], within: Range): SourceNode[] {
    const covers = [
      ...elements,
      ...this.#comments.slice(firstFrom(this.#comments, within.start), firstFrom(this.#comments, within.end)),
    ].sort((one, other) => one.start - other.start);
    const pieces: (SourceElement | SourceLiquid)[] = [...elements];
    let cover = 0;
    for (let index = firstFrom(this.#tokens, within.start); index < this.#tokens.length; index += 1) {
      const token = this.#tokens[index]!;
      if (token.end > within.end) break;
      while (cover < covers.length && covers[cover]!.end <= token.start) cover += 1;
      const next = covers[cover];
      if (next === undefined || next.start >= token.end)
        pieces.push({ kind: 'liquid', start: token.start, end: token.end, token });
    }
    pieces.sort((one, other) => one.start - other.start);
    return pieces.length - elements.length > mostPieces ? pieces : nest(pieces);
  }
}

/** @returns the index of the first range that begins at an offset or behind it */
function firstFrom(ranges: readonly Range[], at: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.start < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The parser is done with a closing tag where its name ends. */
function endOfTag(masked: string, at: number): number {
  const end = masked.indexOf('>', at);
  return end < 0 ? masked.length : end + 1;
}

const openings = new Set(['if', 'unless', 'case', 'for', 'tablerow', 'capture', 'comment', 'raw']);
const verbatim = new Set(['comment', 'raw']);
const middles = new Set(['else', 'elsif', 'when']);

/** Tags without their counterpart stay single pieces. */
function nest(pieces: (SourceElement | SourceLiquid)[]): SourceNode[] {
  const nodes: SourceNode[] = [];
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index]!;
    const end = piece.kind === 'liquid' && openings.has(piece.token.name) ? findEnd(pieces, index) : -1;
    if (piece.kind === 'element' || end < 0) {
      nodes.push(piece);
      continue;
    }
    nodes.push(
      verbatim.has(piece.token.name)
        ? { ...piece, end: pieces[end]!.end }
        : toCondition(pieces.slice(index, end + 1)),
    );
    index = end;
  }
  return nodes;
}

function findEnd(pieces: (SourceElement | SourceLiquid)[], from: number): number {
  const names: string[] = [];
  for (let index = from; index < pieces.length; index += 1) {
    const piece = pieces[index]!;
    if (piece.kind === 'element' || piece.token.kind === 'output') continue;
    const { name } = piece.token;
    const outer = names.at(-1);
    if (openings.has(name) && !verbatim.has(outer ?? '')) names.push(name);
    else if (name === `end${outer}`) names.pop();
    if (names.length === 0) return index;
  }
  return -1;
}

/** @param pieces  from the opening to the closing tag */
function toCondition(pieces: (SourceElement | SourceLiquid)[]): SourceCondition {
  const opening = pieces[0] as SourceLiquid;
  const closing = pieces.at(-1) as SourceLiquid;
  const { name } = opening.token;
  const branches: SourceBranch[] = [];
  let from = 0;
  let depth = 0;
  const add = (until: number) => {
    const { token } = pieces[from] as SourceLiquid;
    const contentEnd = pieces[until]!.start;
    branches.push({
      kind: 'branch',
      tag: token,
      start: token.start,
      contentStart: token.end,
      contentEnd,
      end: contentEnd,
      children: nest(pieces.slice(from + 1, until)),
    });
    from = until;
  };
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === 'element' || index === 0) continue;
    const tag = piece.token.name;
    if (index === pieces.length - 1 || (depth === 0 && middles.has(tag))) add(index);
    else if (openings.has(tag)) depth += 1;
    else if (tag.startsWith('end') && openings.has(tag.slice(3))) depth -= 1;
  }
  return { kind: 'condition', name, start: opening.start, end: closing.end, branches };
}

/** @returns all nodes in the order of the source, those around others first */
export function listNodes(nodes: readonly SourceNode[]): SourceNode[] {
  return nodes.flatMap((node) => [node, ...listNodes(childrenOf(node))]);
}

export function childrenOf(node: SourceNode): readonly SourceNode[] {
  if (node.kind === 'element') return node.children;
  return node.kind === 'condition' ? node.branches.flatMap(({ children }) => children) : [];
}
