import { contrast } from '@reachout/contract/rules/contrast.ts';
import { Parser } from 'htmlparser2';
import type { CompileProblem } from '../email-content.ts';
import { protectLiquid, type ProtectedText } from '../liquid/protect-liquid.ts';

/** Maximum number of reported flaws: an author works through them one by one. */
const maxFlaws = 20;

/** WCAG 2.2, 1.4.3: text of at least 24 px, or 18.66 px in bold, is large. */
const contrastOf = { text: 4.5, large: 3 };

/** Defaults of MJML. */
const ownDefaults: Record<string, Record<string, string>> = {
  'mj-button': { color: '#ffffff', 'background-color': '#414141', 'font-size': '13px' },
};
const textElements = new Set(['mj-text', 'mj-button', 'mj-table']);

interface Look {
  /** `#rrggbb`, undefined if it is not known before the email is rendered. */
  color: string | undefined;
  background: string | undefined;
  /** In px. */
  size: number;
  isBold: boolean;
}
type Attributes = Readonly<Record<string, string>>;

/**
 * Finds what every email program shows but not everybody can read: text without contrast, images without alternative text,
 * and conditions around nothing.
 * @param brand  values of `brand.*`; colors from other merge tags are not checked
 */
export function findFlaws(mjml: string, brand: unknown): CompileProblem[] {
  const source = protectLiquid(mjml);
  return [...findEmptyConditions(source), ...new FlawFinder(source, brand).find()].slice(0, maxFlaws);
}

function findEmptyConditions(source: ProtectedText): CompileProblem[] {
  const { text, sources, pattern } = source;
  const words = [...text.matchAll(pattern)];
  return words.flatMap((word, at) => {
    const next = words[at + 1];
    if (next === undefined || !/^\{%-?\s*(?:if|unless)\b/.test(sources[at]!)) return [];
    const isEmpty = text.slice(word.index + word[0].length, next.index).trim() === '';
    if (!isEmpty || !/^\{%-?\s*end(?:if|unless)\b/.test(sources[at + 1]!)) return [];
    return [flaw('condition_empty', 'There is nothing within this condition.', source.lineAt(word.index))];
  });
}

const flaw = (
  code: 'condition_empty' | 'contrast_low' | 'image_alt_missing',
  message: string,
  line: number,
): CompileProblem => ({ code, severity: 'warning', field: 'mjml', message, line });

class FlawFinder {
  readonly #source: ProtectedText;
  readonly #brand: unknown;
  /** By element name, or by `.` and the name of an `mj-class`. */
  readonly #defaults = new Map<string, Attributes>();
  readonly #looks: Look[] = [{ color: '#000000', background: '#ffffff', size: 13, isBold: false }];
  readonly #found: CompileProblem[] = [];
  #isInAttributes = false;
  /** Depth within an element that shows text. */
  #textDepth = 0;
  #lastLine = 0;

  constructor(source: ProtectedText, brand: unknown) {
    this.#source = source;
    this.#brand = brand;
  }

  find(): CompileProblem[] {
    const parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(name, attributes, parser.startIndex),
        onclosetag: (name) => this.#close(name),
        ontext: (text) => this.#readText(text, parser.startIndex),
      },
      { recognizeCDATA: true, recognizeSelfClosing: true },
    );
    parser.write(this.#source.text);
    parser.end();
    return this.#found;
  }

  #open(name: string, attributes: Attributes, start: number): void {
    if (name === 'mj-attributes') this.#isInAttributes = true;
    else if (this.#isInAttributes)
      this.#defaults.set(name === 'mj-class' ? `.${attributes['name'] ?? ''}` : name, attributes);
    const own = this.#resolve(name, attributes);
    if (!this.#isInAttributes && (name === 'mj-image' || name === 'img') && own['alt'] === undefined)
      this.#add('image_alt_missing', 'This image has no alternative text.', start);
    if (textElements.has(name) || this.#textDepth > 0) this.#textDepth += 1;
    this.#looks.push(this.#lookOf(name, own));
  }

  #close(name: string): void {
    if (name === 'mj-attributes') this.#isInAttributes = false;
    if (this.#textDepth > 0) this.#textDepth -= 1;
    this.#looks.pop();
  }

  /** @returns the attributes of an element with the defaults of the document */
  #resolve(name: string, attributes: Attributes): Attributes {
    if (!name.startsWith('mj-')) return attributes;
    const classes = (attributes['mj-class'] ?? '').split(/\s+/).filter(Boolean);
    return Object.assign(
      {},
      ownDefaults[name],
      this.#defaults.get('mj-all'),
      this.#defaults.get(name),
      ...classes.map((given) => this.#defaults.get(`.${given}`)),
      attributes,
    ) as Attributes;
  }

  #lookOf(name: string, own: Attributes): Look {
    const around = this.#looks.at(-1)!;
    const isText = textElements.has(name);
    const style = name.startsWith('mj-') ? own : readStyle(own['style'] ?? '');
    // The text color of MJML does not inherit from its containers.
    const base = isText ? { ...around, color: '#000000', size: 13, isBold: false } : around;
    const backgrounds = [style['container-background-color'], style['background-color'], style['background']];
    const background = backgrounds.findLast((value) => value !== undefined && value !== 'none');
    const size = Number.parseFloat(style['font-size'] ?? '');
    const weight = style['font-weight'];
    return {
      color: style['color'] === undefined ? base.color : this.#read(style['color']),
      background:
        own['background-url'] !== undefined
          ? undefined
          : background === undefined
            ? base.background
            : this.#read(background),
      size: Number.isNaN(size) ? base.size : size,
      isBold:
        weight === undefined
          ? base.isBold || name === 'b' || name === 'strong'
          : weight === 'bold' || Number(weight) >= 700,
    };
  }

  #readText(text: string, start: number): void {
    const { color, background, size, isBold } = this.#looks.at(-1)!;
    if (this.#textDepth === 0 || color === undefined || background === undefined || text.trim() === '')
      return;
    const ratio = contrast(color, background);
    const isLarge = size >= 24 || (isBold && size >= 18.66);
    if (ratio >= contrastOf[isLarge ? 'large' : 'text']) return;
    const shown = Math.floor(ratio * 10) / 10;
    this.#add('contrast_low', `This text has too little contrast: ${shown} : 1.`, start + text.search(/\S/));
  }

  #read(value: string): string | undefined {
    const resolved = value.replace(this.#source.pattern, (_, index: string) => {
      const name = /^\{\{-?\s*brand\.(color|tint)\s*-?\}\}$/.exec(this.#source.sources[Number(index)]!)?.[1];
      const color = name && (this.#brand as Record<string, unknown> | undefined)?.[name];
      return typeof color === 'string' ? color : '?';
    });
    return parseColor(resolved.replace(/\s*!important$/, ''));
  }

  /** One flaw for each line: an author sees it once. */
  #add(code: 'contrast_low' | 'image_alt_missing', message: string, offset: number): void {
    const line = this.#source.lineAt(offset);
    if (this.#found.length >= maxFlaws || line === this.#lastLine) return;
    this.#lastLine = line;
    this.#found.push(flaw(code, message, line));
  }
}

const readStyle = (style: string): Attributes =>
  Object.fromEntries(
    style.split(';').flatMap((declaration) => {
      const at = declaration.indexOf(':');
      return at < 0
        ? []
        : [[declaration.slice(0, at).trim().toLowerCase(), declaration.slice(at + 1).trim()]];
    }),
  );

const named: Record<string, string> = { black: '#000000', white: '#ffffff' };

/** @returns `#rrggbb`; undefined for other notations than `#rgb`, `#rrggbb`, `black` and `white` */
function parseColor(value: string): string | undefined {
  const text = named[value.toLowerCase()] ?? value;
  if (/^#[\da-f]{6}$/i.test(text)) return text;
  return /^#[\da-f]{3}$/i.test(text) ? text.replaceAll(/[\da-f]/gi, '$&$&') : undefined;
}
