import { isAsWritten, withAsWritten } from '@reachout/contract/rules/as-written.ts';
import {
  droppedElements,
  elementOfMark,
  headingLevel,
  hidingStyle,
  lineElements,
  linkAddress,
  markElements,
  marksOfStyle,
  paragraphElements,
  paragraphStyle,
} from '@reachout/contract/rules/rich-text.ts';
import { Tokenizer } from 'htmlparser2';
import { outputLimit, partTooLarge } from './capped-emitter.ts';
import { escapeHtml } from './escape-html.ts';

/**
 * Writes HTML that may be malicious as HTML for a text of an email: what pasted text keeps, and images that are loaded by
 * https. Every element is written anew and closed, so that nothing of the value can end or enclose what is around it. A
 * single paragraph stays without an element, so that it can stand in a sentence. Takes linear time.
 * @throws RenderError `too_large`
 */
export function sanitizeRichText(html: string): string {
  const reader = new RichTextReader();
  let name = '';
  let attribute = '';
  let attributes: Record<string, string> = {};
  const ignore = () => undefined;
  const addToAttribute = (text: string) => {
    if (readAttributes.has(attribute)) attributes[attribute] = (attributes[attribute] ?? '') + text;
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (from, to) => {
        name = html.slice(from, to).toLowerCase();
        attributes = {};
      },
      onattribname: (from, to) => {
        attribute = html.slice(from, to).toLowerCase();
        // The first of several counts.
        if (Object.hasOwn(attributes, attribute)) attribute = '';
      },
      onattribdata: (from, to) => addToAttribute(html.slice(from, to)),
      onattribentity: (codePoint) => addToAttribute(String.fromCodePoint(codePoint)),
      onattribend: ignore,
      onopentagend: () => reader.openElement(name, attributes),
      onselfclosingtag: () => {
        reader.openElement(name, attributes);
        if (name === 'svg' || name === 'math') reader.closeElement(name);
      },
      onclosetag: (from, to) => reader.closeElement(html.slice(from, to).toLowerCase()),
      ontext: (from, to) => reader.addText(html.slice(from, to)),
      ontextentity: (codePoint) => reader.addText(String.fromCodePoint(codePoint)),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return reader.end();
}

const readAttributes = new Set(['href', 'rel', 'src', 'alt', 'width', 'height', 'style']);
const voidElements = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** End one of the same name that is still open, unless one of `limits` is between them. */
const selfEnding = new Set('p li dt dd tr td th'.split(' '));
const limits = new Set('ul ol dl table blockquote'.split(' '));

/** Maximum elements within each other; the words of further ones stay. */
const deepest = 100;
/** Maximum lists and quotes within each other; those further inside become paragraphs. */
const deepestLists = 20;
/** Maximum characters: servers and proxies do not accept longer addresses. */
const addressLimit = 8_000;
/** Maximum pixels, the width of an email. */
const widest = 600;

type Block = { name: string; html: string } | Container;
interface Container {
  name: '' | 'ul' | 'ol' | 'li' | 'blockquote';
  blocks: Block[];
}

/** The opening tag of each mark, from the outside to the inside. */
type Marks = ReadonlyMap<string, string>;

/** What an open element says of the words in it. */
interface Around {
  name: string;
  marks: Marks;
  heading: number | undefined;
  keepsLines: boolean;
  /** Containers that were open before it. */
  containers: number;
}

class RichTextReader {
  readonly #root: Container = { name: '', blocks: [] };
  readonly #containers: Container[] = [this.#root];
  readonly #elements: Around[] = [];
  /** The element whose content is left out, and how many of its name are open. */
  #dropped: { name: string; depth: number } | undefined;
  /** The block that is being read. */
  #html = '';
  #blockName = 'p';
  #hasWords = false;
  #openMarks: [mark: string, tag: string][] = [];
  #isBlankDue = false;
  #breaksDue = 0;
  /** Characters of all blocks. */
  #size = 0;

  openElement(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#dropped !== undefined) {
      // The end of a head may be left out.
      if (this.#dropped.name === 'head' && name === 'body') this.#dropped = undefined;
      else if (this.#dropped.name === name) this.#dropped.depth += 1;
      return;
    }
    const style = attributes['style'] ?? '';
    if (droppedElements.has(name) || hidingStyle.test(style)) {
      if (!voidElements.has(name)) this.#dropped = { name, depth: 1 };
      return;
    }
    if (name === 'br') this.#break();
    else if (name === 'img') this.#image(attributes);
    if (isBlock(name)) this.#endUnclosed('p');
    if (selfEnding.has(name)) this.#endUnclosed(name);
    this.#separate(name);
    if (voidElements.has(name) || this.#elements.length === deepest) return;
    const containers = this.#containers.length;
    this.#openContainer(name);
    this.#elements.push({ ...this.#within(name, attributes, style), name, containers });
  }

  closeElement(name: string): void {
    if (this.#dropped !== undefined) {
      if (this.#dropped.name === name) this.#dropped.depth -= 1;
      if (this.#dropped.depth === 0) this.#dropped = undefined;
      return;
    }
    const index = this.#elements.findLastIndex((element) => element.name === name);
    const isAroundBlocks =
      !isBlock(name) && this.#elements.slice(index + 1).some((inner) => isBlock(inner.name));
    if (index < 0) return;
    if (isAroundBlocks) this.#endMarks(index);
    else this.#endElements(index);
  }

  addText(data: string): void {
    if (this.#dropped !== undefined) return;
    const text = data.replaceAll(controls, '');
    const keepsLines = this.#elements.at(-1)?.keepsLines === true;
    for (const [index, line] of (keepsLines ? text.split(/\r\n?|\n/) : [text]).entries()) {
      if (index > 0) this.#break();
      const words = line.replaceAll(blanks, ' ');
      if (words.startsWith(' ')) this.#isBlankDue = true;
      const trimmed = words.replace(/^ /, '').replace(/ $/, '');
      if (trimmed === '') continue;
      this.#write(escapeHtml(trimmed), /[^\s\u00a0]/.test(trimmed));
      this.#isBlankDue = words.endsWith(' ');
    }
  }

  end(): string {
    this.#endBlock();
    const html = writeBlocks(this.#root);
    if (html.length > outputLimit) throw partTooLarge();
    return html;
  }

  /** Ends the paragraph or line at the start and end of an element. */
  #separate(name: string): void {
    if (paragraphElements.has(name) || headingLevel(name) !== undefined || containers.has(name))
      this.#endBlock();
    else if (name === 'td' || name === 'th') this.#isBlankDue = true;
    else if (lineElements.has(name) || name === 'tr') this.#endLine();
  }

  #endUnclosed(name: string): void {
    const index = this.#elements.findLastIndex(
      (element) => element.name === name || limits.has(element.name),
    );
    if (this.#elements[index]?.name === name) this.#endElements(index);
  }

  #endElements(from: number): void {
    for (const { name, containers: before } of this.#elements.splice(from).toReversed()) {
      this.#separate(name);
      if (before < this.#containers.length) {
        this.#endBlock();
        this.#containers.length = before;
      }
    }
  }

  /** Ends an element for the words in it, while the blocks in it stay open. */
  #endMarks(at: number): void {
    const outer = this.#elements[at - 1]?.marks;
    const [{ marks: ended }] = this.#elements.splice(at, 1) as [Around];
    for (const element of this.#elements.slice(at))
      element.marks = new Map([...element.marks].filter(([mark]) => outer?.has(mark) || !ended.has(mark)));
  }

  #openContainer(name: string): void {
    if (!containers.has(name) || this.#containers.length > deepestLists) return;
    if (name === 'li') {
      if (!isList(this.#containers.at(-1))) {
        const last = this.#target().blocks.at(-1);
        if (last !== undefined && 'blocks' in last && isList(last)) this.#containers.push(last);
        else this.#push('ul');
      }
    }
    this.#push(name as Container['name']);
  }

  #push(name: Container['name']): void {
    const container: Container = { name, blocks: [] };
    (name === 'li' ? this.#containers.at(-1)! : this.#target()).blocks.push(container);
    this.#containers.push(container);
  }

  /** Where a block goes: in a list, to its last item. */
  #target(): Container {
    const open = this.#containers.at(-1)!;
    if (!isList(open)) return open;
    const last = open.blocks.at(-1);
    if (last !== undefined && 'blocks' in last) return last;
    const item: Container = { name: 'li', blocks: [] };
    open.blocks.push(item);
    return item;
  }

  #within(name: string, attributes: Readonly<Record<string, string>>, style: string) {
    const outer = this.#elements.at(-1);
    const heading = headingLevel(name) ?? outer?.heading;
    const marks = new Map(outer?.marks);
    const set = (mark: string, tag: string) => {
      if (!marks.has(mark)) marks.set(mark, tag);
    };
    const own = Object.hasOwn(markElements, name) ? markElements[name] : undefined;
    if (own === 'link') {
      const address = addressOf(attributes['href']);
      const rel = isAsWritten(attributes['rel']) ? ` rel="${withAsWritten('', true)}"` : '';
      if (linkAddress.test(address)) set('link', `<a href="${escapeHtml(address)}"${rel}>`);
    } else if (own !== undefined) set(own, `<${name}>`);
    if (name === 'th') set('bold', '<strong>');
    if (name === 'del' || name === 'strike') set('strike', '<s>');
    const given = { isLink: marks.has('link'), isHeading: heading !== undefined };
    for (const [mark, isSet] of style === '' ? [] : marksOfStyle(style, given))
      if (isSet) set(mark, `<${elementOfMark[mark]}>`);
      else marks.delete(mark);
    return { marks, heading, keepsLines: name === 'pre' || outer?.keepsLines === true };
  }

  #image({ src, alt = '', width = '', height = '' }: Readonly<Record<string, string>>): void {
    const address = addressOf(src);
    // Of one pixel: it tells somebody that it was loaded.
    const isHidden = [width, height].some((size) => /^[01](?:px)?$/.test(size));
    if (isHidden || !/^https:\/\//i.test(address)) return;
    const pixels = /^\d{1,4}(?:px)?$/.test(width)
      ? ` width="${Math.min(widest, Number.parseInt(width, 10))}"`
      : '';
    const words = escapeHtml(alt.replaceAll(controls, ''));
    this.#write(
      `<img src="${escapeHtml(address)}" alt="${words}"${pixels} style="max-width:100%;height:auto;border:0" />`,
      true,
    );
  }

  #break(): void {
    if (this.#html !== '') this.#breaksDue += 1;
    this.#isBlankDue = false;
  }

  #endLine(): void {
    if (this.#html !== '') this.#breaksDue ||= 1;
    this.#isBlankDue = false;
  }

  /** @param hasWords whether it shows something */
  #write(html: string, hasWords: boolean): void {
    const { marks = new Map<string, string>(), heading } = this.#elements.at(-1) ?? {};
    if (this.#html === '') this.#blockName = heading === undefined ? 'p' : `h${heading}`;
    const wanted = [...marks];
    let shared = 0;
    while (
      shared < this.#openMarks.length &&
      shared < wanted.length &&
      this.#openMarks[shared]![1] === wanted[shared]![1]
    )
      shared += 1;
    let added = this.#closeMarks(shared);
    if (this.#breaksDue > 0) added += '<br />'.repeat(this.#breaksDue);
    else if (this.#isBlankDue && this.#html !== '') added += ' ';
    this.#breaksDue = 0;
    this.#isBlankDue = false;
    for (const mark of wanted.slice(shared)) {
      added += mark[1];
      this.#openMarks.push(mark);
    }
    this.#add(added + html);
    this.#hasWords ||= hasWords;
  }

  #closeMarks(keep: number): string {
    return this.#openMarks
      .splice(keep)
      .toReversed()
      .map(([, tag]) => `</${/\w+/.exec(tag)![0]}>`)
      .join('');
  }

  #add(html: string): void {
    this.#html += html;
    this.#size += html.length;
    if (this.#size > outputLimit) throw partTooLarge();
  }

  /** A block without words is left out: paragraphs have a gap anyway. */
  #endBlock(): void {
    this.#add(this.#closeMarks(0));
    if (this.#hasWords) this.#target().blocks.push({ name: this.#blockName, html: this.#html });
    this.#html = '';
    this.#hasWords = false;
    this.#breaksDue = 0;
    this.#isBlankDue = false;
  }
}

const containers = new Set(['ul', 'ol', 'li', 'blockquote']);
const isList = (container: Container | undefined): container is Container =>
  container?.name === 'ul' || container?.name === 'ol';

const isBlock = (name: string): boolean =>
  paragraphElements.has(name) ||
  lineElements.has(name) ||
  containers.has(name) ||
  headingLevel(name) !== undefined;

/** Those that HTML shows as one. */
const blanks = /[ \t\r\n\f]+/g;

/** Shown by nothing; browsers leave them out of the scheme of an address. */
// oxlint-disable-next-line no-control-regex -- they are removed
const controls = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/g;

/** @returns the address as a browser reads it; empty if there is none */
function addressOf(value = ''): string {
  if (value.length > addressLimit) return '';
  // oxlint-disable-next-line no-control-regex -- they are removed
  const address = value.replaceAll(/[\u0000-\u001f\u007f]/g, '').trim();
  return /^https?:/i.test(address) && !URL.canParse(address) ? '' : address;
}

/** Elements without a block in them are left out. */
function writeBlocks({ name: outer, blocks }: Container): string {
  const filled = blocks.filter(isFilled);
  return filled
    .map((block, index) => {
      const { name } = block;
      if ('blocks' in block) return `<${name}>${writeBlocks(block)}</${name}>`;
      if (name !== 'p') return `<${name}>${block.html}</${name}>`;
      const beside = [filled[index - 1], filled[index + 1]].filter((other) => other !== undefined);
      // Between the words of an item and the list in it is no gap.
      const needsElement = outer === 'li' ? beside.some((other) => other.name === 'p') : beside.length > 0;
      return needsElement
        ? `<p style="${paragraphStyle(index === filled.length - 1)}">${block.html}</p>`
        : block.html;
    })
    .join('');
}

const isFilled = (block: Block): boolean => !('blocks' in block) || block.blocks.some(isFilled);
