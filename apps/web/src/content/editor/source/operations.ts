import { applySplices, spliceAttribute, type Splice } from './attributes.ts';
import type { LiquidToken, Range } from './liquid.ts';
import {
  childrenOf,
  parseSource,
  type ParsedSource,
  type SourceBranch,
  type SourceCondition,
  type SourceContainer,
  type SourceElement,
  type SourceNode,
} from './parse-source.ts';

/** A change of a source, and where the block that it was made for begins afterwards. */
export interface Edit {
  splices: Splice[];
  selected: number | undefined;
}

/** A place for a block: in front of the child with this index, or behind the last one. */
export interface Place {
  container: SourceContainer;
  index: number;
}

/** What a block is, which decides where it may stand. */
export type Level = 'section' | 'column' | 'content' | 'any';

const levels: Record<string, Level> = {
  'mj-section': 'section',
  'mj-wrapper': 'section',
  'mj-hero': 'section',
  'mj-column': 'column',
  'mj-group': 'column',
  'mj-raw': 'any',
};

export function levelOf(node: SourceNode): Level {
  if (node.kind === 'element') return levels[node.name] ?? 'content';
  if (node.kind === 'liquid') return 'any';
  return (
    childrenOf(node)
      .map(levelOf)
      .find((level) => level !== 'any') ?? 'any'
  );
}

const accepted: Record<string, Level> = {
  'mj-body': 'section',
  'mj-wrapper': 'section',
  'mj-section': 'column',
  'mj-group': 'column',
  'mj-column': 'content',
  'mj-hero': 'content',
};

/** Elements that a person arranges blocks in. */
export const isContainer = (node: SourceNode): boolean =>
  node.kind === 'element' && accepted[node.name] !== undefined && !node.isUnclosed;

/** A block with the containers around it, from the inside. */
export interface Located {
  node: SourceNode;
  parents: SourceContainer[];
  index: number;
}

/** @returns all blocks of the body in the order of the source */
export function listBlocks({ body }: ParsedSource): Located[] {
  return body === undefined || body.isUnclosed ? [] : locate(body, [body]);
}

function locate(container: SourceContainer, parents: SourceContainer[]): Located[] {
  return container.children.flatMap((node, index) => {
    const located = { node, parents, index };
    if (node.kind === 'condition')
      return [located, ...node.branches.flatMap((branch) => locate(branch, [branch, ...parents]))];
    return node.kind === 'element' && isContainer(node)
      ? [located, ...locate(node, [node, ...parents])]
      : [located];
  });
}

/** @returns the block that begins at an offset */
export const blockAt = (parsed: ParsedSource, start: number): Located | undefined =>
  listBlocks(parsed).find(({ node }) => node.start === start);

/** @returns all places for a block of a level, in the order of the source */
export function placesFor({ body }: ParsedSource, level: Level, except?: SourceNode): Place[] {
  return body === undefined || body.isUnclosed ? [] : placesIn(body, 'section', level, except);
}

function placesIn(
  container: SourceContainer,
  takes: Level,
  level: Level,
  except: SourceNode | undefined,
): Place[] {
  const places: Place[] = [];
  const isAllowed = level === 'any' || level === takes;
  for (const [index, node] of container.children.entries()) {
    if (isAllowed) places.push({ container, index });
    if (node === except) continue;
    if (node.kind === 'condition')
      for (const branch of node.branches) places.push(...placesIn(branch, takes, level, except));
    else if (node.kind === 'element' && isContainer(node))
      places.push(...placesIn(node, accepted[node.name]!, level, except));
  }
  if (isAllowed) places.push({ container, index: container.children.length });
  return places;
}

/** Whether a block already stands at a place. */
const isAt = ({ parents, index }: Located, place: Place): boolean =>
  place.container === parents[0] && (place.index === index || place.index === index + 1);

/** @returns where a block goes with one step up or down; undefined at the end */
export function nextPlace(parsed: ParsedSource, block: Located, step: 1 | -1): Place | undefined {
  const places = placesFor(parsed, levelOf(block.node), block.node);
  const own = places.findIndex(
    ({ container, index }) => container === block.parents[0] && index === block.index,
  );
  return own < 0 ? undefined : places[step < 0 ? own - 1 : own + 2];
}

/** Whether blocks are the same ones, apart from what they contain. */
export function isSameShape(one: readonly Located[], other: readonly Located[]): boolean {
  const shape = ({ node, parents }: Located) =>
    `${parents.length}${node.kind === 'element' ? node.name : node.kind}`;
  return one.length === other.length && one.every((block, index) => shape(block) === shape(other[index]!));
}

/** @returns the place right behind a block, or behind what is around it; the last one without a block */
export function placeBehind(places: readonly Place[], block: Located | undefined): Place | undefined {
  if (block === undefined) return places.at(-1);
  const behind = (container: unknown, index: number) =>
    places.find((place) => place.container === container && place.index === index);
  const next = behind(block.parents[0], block.index + 1);
  if (next) return next;
  const inside = places.findLast(({ container }) => container === block.node);
  if (inside) return inside;
  for (const [level, container] of block.parents.entries()) {
    if (level === 0) continue;
    const at = container.children.findIndex(
      ({ start, end }) => start <= block.node.start && end >= block.node.end,
    );
    const outer = behind(container, at + 1);
    if (outer) return outer;
  }
  return undefined;
}

export function insertBlock({ source }: ParsedSource, place: Place, block: string): Edit {
  return writeAt(source, place, block);
}

export function moveBlock({ source }: ParsedSource, block: Located, place: Place): Edit {
  const { node } = block;
  if (isAt(block, place)) return { splices: [], selected: node.start };
  const { splices, selected } = writeAt(source, place, source.slice(node.start, node.end), false);
  const removed = withBlanks(source, node);
  const at = splices[0]!.from;
  // A place right beside the block may be within the white space that goes with it.
  const range = at > removed.start && at < removed.end ? { start: node.start, end: node.end } : removed;
  const before = at >= range.end ? range.end - range.start : 0;
  return {
    splices: [...splices, { from: range.start, to: range.end, insert: '' }].sort(
      (one, other) => one.from - other.from,
    ),
    selected: selected! - before,
  };
}

export function removeBlock({ source }: ParsedSource, { node, parents, index }: Located): Edit {
  const { start, end } = withBlanks(source, node);
  const next = parents[0]?.children[index + 1] ?? parents[0]?.children[index - 1];
  const selected =
    next === undefined ? undefined : next.start > start ? next.start - (end - start) : next.start;
  return { splices: [{ from: start, to: end, insert: '' }], selected };
}

export const duplicateBlock = ({ source }: ParsedSource, { node }: Located): Edit =>
  writeBehind(source, node, source.slice(node.start, node.end));

/** Writes an attribute. @param value  undefined removes it */
export function setBlockAttribute(
  { source, masked }: ParsedSource,
  { start, contentStart }: SourceElement,
  name: string,
  value: string | undefined,
): Splice[] {
  return spliceAttribute(source, masked, { start, end: contentStart }, name, value);
}

/** Writes the content of an element, as far as it differs. */
export function setBlockContent({ source }: ParsedSource, element: SourceElement, content: string): Splice[] {
  const { contentStart, contentEnd, name } = element;
  if (element.isSelfClosing) {
    const slash = source.lastIndexOf('/', contentStart);
    return content === '' ? [] : [{ from: slash, to: contentStart, insert: `>${content}</${name}>` }];
  }
  return replaceRange(source, { start: contentStart, end: contentEnd }, content);
}

/** @returns whether an element would still end where it does with another content; otherwise it would take in what follows */
export function isContained(parsed: ParsedSource, element: SourceElement, content: string): boolean {
  const next = parseSource(applySplices(parsed.source, setBlockContent(parsed, element, content)));
  const node = blockAt(next, element.start)?.node;
  return (
    node?.kind === 'element' &&
    !node.isUnclosed &&
    next.source.slice(node.contentStart, node.contentEnd) === content
  );
}

/** Replaces a range, without what is the same at its beginning and end. */
export function replaceRange(source: string, { start, end }: Range, text: string): Splice[] {
  const old = source.slice(start, end);
  if (old === text) return [];
  const most = Math.min(old.length, text.length);
  let before = 0;
  while (before < most && old[before] === text[before]) before += 1;
  let after = 0;
  while (after < most - before && old.at(-1 - after) === text.at(-1 - after)) after += 1;
  return [{ from: start + before, to: end - after, insert: text.slice(before, text.length - after) }];
}

/** Puts a Liquid block around a block. */
export function wrapBlock({ source }: ParsedSource, { start, end }: Range, opening: string): Edit {
  const { line, indent } = newLine(source, start);
  const closing = `{% end${/\w+/.exec(opening)![0]} %}`;
  return {
    splices: [
      { from: start, to: start, insert: `${opening}${line}${indent}` },
      { from: end, to: end, insert: `${line}${indent}${closing}` },
    ],
    selected: start,
  };
}

/** Removes the tags of a Liquid block, and keeps what it encloses: of several branches, the first. */
export function unwrapCondition({ source }: ParsedSource, { branches, end }: SourceCondition): Edit {
  const [{ tag, contentEnd }] = branches as [SourceBranch];
  const ranges = [tag, { start: contentEnd, end }].map((range) => withBlanks(source, range));
  return {
    splices: ranges.map((range) => ({ from: range.start, to: range.end, insert: '' })),
    selected: undefined,
  };
}

/** Replaces what a tag says, such as the condition of an `if`. */
export function setTagCode(
  { source }: ParsedSource,
  { start, end, name, code }: LiquidToken,
  next: string,
): Splice[] {
  const at = source.indexOf(name, start) + name.length;
  const from = code === '' ? at : source.indexOf(code, at);
  if (from + code.length > end) return [];
  return replaceRange(source, { start: from, end: from + code.length }, code === '' ? ` ${next}` : next);
}

function writeAt(source: string, place: Place, block: string, indents = true): Edit {
  const { container, index } = place;
  const next = container.children[index];
  const previous = container.children[index - 1];
  if (next !== undefined) {
    const { line, indent, isAlone } = newLine(source, next.start);
    const text = indents ? indentLines(block, line, indent) : block;
    const insert = isAlone ? `${text}${line}${indent}` : text;
    return { splices: [{ from: next.start, to: next.start, insert }], selected: next.start };
  }
  if (previous !== undefined) return writeBehind(source, previous, block, indents);
  return writeInto(source, container, block, indents);
}

function writeBehind(source: string, node: Range, block: string, indents = false): Edit {
  const { line, indent, isAlone } = newLine(source, node.start);
  const text = indents ? indentLines(block, line, indent) : block;
  const before = isAlone ? `${line}${indent}` : '';
  return {
    splices: [{ from: node.end, to: node.end, insert: before + text }],
    selected: node.end + before.length,
  };
}

/** Into an empty container. */
function writeInto(source: string, container: SourceContainer, block: string, indents: boolean): Edit {
  const { line, indent, isAlone } = newLine(source, container.start);
  const inner = isAlone ? `${indent}  ` : '';
  const text = indents ? indentLines(block, line, inner) : block;
  const before = isAlone ? `${line}${inner}` : '';
  const { contentStart } = container;
  if (container.kind === 'element' && container.isSelfClosing) {
    const slash = source.lastIndexOf('/', contentStart);
    const after = `${isAlone ? `${line}${indent}` : ''}</${container.name}>`;
    return {
      splices: [{ from: slash, to: contentStart, insert: `>${before}${text}${after}` }],
      selected: slash + 1 + before.length,
    };
  }
  const rest = source.slice(contentStart, container.contentEnd);
  const after = isAlone && !rest.includes('\n') ? `${line}${indent}` : '';
  return {
    splices: [{ from: contentStart, to: contentStart, insert: `${before}${text}${after}` }],
    selected: contentStart + before.length,
  };
}

/** How the lines of a source end, and how far the one of an offset is indented, if only blanks are before it. */
function newLine(source: string, at: number): { line: string; indent: string; isAlone: boolean } {
  const lineStart = source.lastIndexOf('\n', at - 1) + 1;
  const before = source.slice(lineStart, at);
  const isAlone = before.trim() === '' && source.includes('\n');
  const end = source.indexOf('\n');
  return {
    line: end > 0 && source[end - 1] === '\r' ? '\r\n' : '\n',
    indent: isAlone ? before : '',
    isAlone,
  };
}

const indentLines = (text: string, line: string, indent: string): string =>
  text.split('\n').join(`${line}${indent}`);

/** A block with its line, if nothing else is on it. */
function withBlanks(source: string, { start, end }: Range): Range {
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const newline = source.indexOf('\n', end);
  const lineEnd = newline < 0 ? source.length : newline;
  const isAlone = source.slice(lineStart, start).trim() === '' && source.slice(end, lineEnd).trim() === '';
  if (!isAlone || (lineStart === 0 && newline < 0)) return { start, end };
  return newline < 0 ? { start: lineStart - 1, end: lineEnd } : { start: lineStart, end: newline + 1 };
}
