import { mjmlContainers, mjmlOuterElements } from '@reachout/contract/rules/mjml.ts';
import { Parser } from 'htmlparser2';
import type { CompileProblem } from '../email-content.ts';
import { findLostCss } from './inline-css.ts';
import { LiquidBlocks } from '../liquid/liquid-blocks.ts';
import type { ProtectedText } from '../liquid/protect-liquid.ts';

export interface MarkedMjml {
  /** The source with a word for each text, and with an element around Liquid tags that MJML would drop. */
  mjml: string;
  /** In the order of the source. */
  parts: Part[];
  blocks: LiquidBlocks;
  /** Blocks that enclose elements, not only text. */
  enclosing: ReadonlySet<number>;
  /** Found without compiling. */
  problems: CompileProblem[];
}

/** A text or a piece of Liquid in the source. */
export interface Part {
  /** The index of its word. */
  index: number;
  kind: 'text' | 'tag' | 'output';
  line: number;
  /** The tag, or the text. */
  shown: string;
  /** Where it stands: in the name or a value of an attribute, for instance. */
  place: 'text' | 'name' | 'value' | 'comment';
  /** The comment that it stands in. */
  comment: number | undefined;
  /** The innermost branch of a Liquid block around it; -1 without one. */
  branch: number;
  /** The innermost element around it. */
  element: Element | undefined;
}

export interface Element {
  name: string;
  line: number;
  start: number;
  contentStart: number;
  /** MJML drops its content, because it has no closing tag. */
  isUnclosed: boolean;
  /** Within an element whose content is kept as it is. */
  isInContent: boolean;
  /** An `mj-style` whose rules become attributes. */
  isInlined: boolean;
  parent: Element | undefined;
}

/** Their content is code. */
const codeElements = new Set(['mj-style', 'mj-preview', 'style', 'script']);

/**
 * Prepares MJML with protected Liquid for the compiler, which drops what it does not expect without a word. Each text gets a
 * word, like each piece of Liquid, so that the compiled HTML shows what is missing (`findDropped`).
 * @param replacesPreview drops an `mj-preview`, because the preheader replaces it
 */
export const markMjml = (source: ProtectedText, replacesPreview: boolean): MarkedMjml =>
  new Marker(source, replacesPreview).mark();

class Marker {
  readonly #source: ProtectedText;
  readonly #replacesPreview: boolean;
  readonly #blocks: LiquidBlocks;
  readonly #edits: { start: number; end: number; text: () => string }[] = [];
  readonly #parts: Part[] = [];
  readonly #problems: CompileProblem[] = [];
  /** The elements that each block encloses. */
  readonly #contents = new Map<number, Set<string>>();
  #element: Element | undefined;
  #nextIndex: number;
  /** The last piece of Liquid that was read. */
  #lastLiquid = -1;
  #comments = 0;

  constructor(source: ProtectedText, replacesPreview: boolean) {
    this.#source = source;
    this.#replacesPreview = replacesPreview;
    this.#blocks = new LiquidBlocks(source.sources);
    this.#nextIndex = source.sources.length;
  }

  mark(): MarkedMjml {
    const { text } = this.#source;
    const parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(name, attributes, parser.startIndex, parser.endIndex + 1),
        onclosetag: () => this.#close(parser.startIndex, parser.endIndex + 1),
        ontext: (found) => this.#readText(found, parser.startIndex),
        oncomment: (found) => {
          this.#comments += 1;
          this.#addLiquid(found, 'comment', parser.startIndex);
        },
      },
      // MJML's own settings.
      {
        recognizeCDATA: true,
        decodeEntities: false,
        recognizeSelfClosing: true,
        lowerCaseAttributeNames: false,
      },
    );
    parser.write(text);
    parser.end();
    let mjml = '';
    let at = 0;
    for (const { start, end, text: replacement } of this.#edits) {
      mjml += text.slice(at, start) + replacement();
      at = end;
    }
    return {
      mjml: mjml + text.slice(at),
      parts: this.#parts,
      blocks: this.#blocks,
      enclosing: new Set(this.#contents.keys()),
      problems: this.#problems,
    };
  }

  #open(name: string, attributes: Record<string, string>, start: number, contentStart: number): void {
    const parent = this.#element;
    const line = this.#source.lineAt(start);
    const isInlined = name === 'mj-style' && attributes['inline'] === 'inline';
    if (parent === undefined || mjmlOuterElements.has(parent.name))
      this.#noteContent(isInlined ? 'inlined style' : name);
    const isInContent = parent !== undefined && (parent.isInContent || isInner(parent.name));
    const flags = { isUnclosed: false, isInContent, isInlined };
    this.#element = { name, line, start, contentStart, ...flags, parent };
    this.#addLiquid(name, 'name', start);
    for (const [attribute, value] of Object.entries(attributes)) {
      this.#addLiquid(attribute, 'name', start);
      this.#addLiquid(value, 'value', start);
    }
    if (name === 'mj-include')
      this.#addProblem(
        'mjml_include',
        line,
        'No file is included: replace mj-include by the content itself.',
      );
  }

  #close(start: number, end: number): void {
    const element = this.#element;
    if (element === undefined) return;
    const { name, parent, contentStart } = element;
    this.#element = parent;
    if (name === 'mj-preview' && this.#replacesPreview) this.#dropPreview(element, end);
    if (element.isInContent || !isInner(name)) return;
    const { text } = this.#source;
    if (element.isInlined)
      this.#problems.push(
        ...findLostCss(text.slice(contentStart, start), (at) => this.#source.lineAt(contentStart + at)),
      );
    // MJML searches the closing tag in the same way, in lower case.
    if (text.slice(contentStart, end).includes(`</${name}`) || text.slice(contentStart, start).trim() === '')
      return;
    element.isUnclosed = true;
    this.#addProblem(
      'mjml_unclosed',
      element.line,
      this.#source.restore(`<${name}> is not closed: its content would be missing.`),
    );
  }

  #addProblem(code: CompileProblem['code'], line: number, message: string): void {
    this.#problems.push({ code, severity: 'error', field: 'mjml', message, line });
  }

  #dropPreview({ start }: Element, end: number): void {
    while ((this.#edits.at(-1)?.start ?? -1) >= start) this.#edits.pop();
    while (this.#parts.at(-1)?.element?.start === start) this.#parts.pop();
    const lines = this.#source.text.slice(start, end).replaceAll(/[^\n]/g, '');
    this.#edits.push({ start, end, text: () => lines });
  }

  #readText(found: string, start: number): void {
    const name = this.#element?.name ?? '';
    let at = start;
    for (const [position, piece] of found.split(this.#source.pattern).entries()) {
      if (position % 2 === 0) {
        const blanks = piece.search(/\S/);
        if (blanks >= 0 && !codeElements.has(name)) this.#markText(piece.trim(), at + blanks);
        at += piece.length;
        continue;
      }
      const index = Number(piece);
      const word = this.#source.word(index);
      const end = at + word.length;
      this.#add({ index, place: 'text' }, at);
      if (this.#parts.at(-1)!.kind === 'tag' && (name === 'mj-head' || mjmlContainers.has(name)))
        this.#edits.push({ start: at, end, text: () => wrap(this.#wrapperOf(name, index), word) });
      at = end;
    }
  }

  #markText(shown: string, start: number): void {
    const index = this.#nextIndex++;
    this.#edits.push({ start, end: start, text: () => this.#source.word(index) });
    const branch = this.#blocks.after(this.#lastLiquid);
    this.#parts.push({
      index,
      kind: 'text',
      line: this.#source.lineAt(start),
      shown,
      place: 'text',
      comment: undefined,
      branch,
      element: this.#element,
    });
  }

  #addLiquid(text: string, place: Part['place'], start: number): void {
    if (text.length < this.#source.word(0).length) return;
    for (const [, index] of text.matchAll(this.#source.pattern))
      this.#add({ index: Number(index), place }, start);
  }

  #add({ index, place }: Pick<Part, 'index' | 'place'>, start: number): void {
    this.#lastLiquid = index;
    const shown = this.#source.sources[index]!;
    this.#parts.push({
      index,
      kind: shown.startsWith('{%') ? 'tag' : 'output',
      line: this.#source.lineAt(start),
      shown,
      place,
      comment: place === 'comment' ? this.#comments : undefined,
      branch: this.#blocks.around(index),
      element: this.#element,
    });
  }

  #noteContent(content: string): void {
    for (const block of this.#blocks.blocksIn(this.#blocks.after(this.#lastLiquid))) {
      const contents = this.#contents.get(block);
      if (contents === undefined) this.#contents.set(block, new Set([content]));
      else contents.add(content);
    }
  }

  /**
   * MJML sorts the head by kind: all styles are printed one after the other, and so is all raw HTML. Tags around other
   * elements, or around both kinds, would enclose nothing.
   */
  #wrapperOf(container: string, index: number): string | undefined {
    if (container !== 'mj-head') return 'mj-raw';
    const block = this.#blocks.tag(index)?.block ?? this.#blocks.blockOfBranch(this.#blocks.around(index));
    const [only = 'mj-style', ...others] = this.#contents.get(block) ?? [];
    return others.length === 0 && (only === 'mj-style' || only === 'mj-raw') ? only : undefined;
  }
}

const isInner = (name: string) => name.startsWith('mj-') && !mjmlOuterElements.has(name);

const wrap = (element: string | undefined, word: string): string =>
  element === undefined ? word : `<${element}>${word}</${element}>`;
