import { type Context, Output, type Template, toValue, toValueSync, TypeGuards } from 'liquidjs';
import { filterNames, usesLoops } from './liquid-nodes.ts';
import type { LiquidEngine } from './liquid-engine.ts';
import { bytesPerUnit, encodeQuotedPrintable, writeQuotedPrintable } from './quoted-printable.ts';
import { RenderError } from './render-error.ts';

/** Most characters that one part of one message may render (TPL-2). */
export const outputLimit = 1_000_000;

/**
 * A template cut at its top level. Static text is quoted-printable already, from column 0 to a soft break;
 * slots are addresses that the renderer writes without Liquid; a field is a plain `{{ contact.x }}`; everything
 * else is Liquid, in one context per part so that assign and capture carry on.
 */
export type Segment =
  | { kind: 'static'; bytes: Buffer }
  | { kind: 'slot'; name: string; linkNo: number }
  | { kind: 'field'; field: string; fallback: string; nodes: Template[] }
  | { kind: 'liquid'; nodes: Template[] };

export interface TemplatePart {
  segments: Segment[];
  /** Whether Liquid's own limits might not be enough, so that a clock has to run beside (TPL-2). */
  needsClock: boolean;
  /** Whether any segment needs a Liquid context whatever the data. */
  usesLiquid: boolean;
  /** Names under `links.` that Liquid itself reads, inside a condition for instance. */
  nestedLinks: string[];
}

/** Cuts `source` for the hot path. @throws Error of Liquid when it does not parse */
export function createTemplatePart(engine: LiquidEngine, source: string): TemplatePart {
  const nodes = engine.parse(source);
  const { locals } = engine.liquid.analyzeSync(nodes, { partials: false });
  const shadowed = Object.hasOwn(locals, 'contact') || Object.hasOwn(locals, 'links');
  const segments = cut(nodes, shadowed);
  const liquidNodes = segments.flatMap((segment) => (segment.kind === 'liquid' ? segment.nodes : []));
  const { variables } = engine.liquid.analyzeSync(liquidNodes, { partials: false });
  return {
    segments,
    needsClock: usesLoops(liquidNodes) || filterNames(liquidNodes).some((name) => !quickFilters.has(name)),
    usesLiquid: liquidNodes.length > 0,
    nestedLinks: [...new Set((variables['links'] ?? []).map((variable) => String(variable.segments[1])))],
  };
}

/** Filters whose cost is bounded by their input, which Liquid's memory limit bounds in turn. */
const quickFilters = new Set([
  'abs',
  'append',
  'at_least',
  'at_most',
  'capitalize',
  'ceil',
  'default',
  'divided_by',
  'downcase',
  'escape',
  'first',
  'floor',
  'last',
  'minus',
  'modulo',
  'newline_to_br',
  'plus',
  'prepend',
  'raw',
  'round',
  'size',
  'strip',
  'times',
  'truncate',
  'upcase',
  'url_encode',
]);

function cut(nodes: Template[], shadowed: boolean): Segment[] {
  const segments: Segment[] = [];
  let text = '';
  const flush = (isLast: boolean) => {
    if (text !== '') segments.push({ kind: 'static', bytes: encodeQuotedPrintable(text, !isLast) });
    text = '';
  };
  for (const node of nodes) {
    if (TypeGuards.isHTMLToken(node.token)) {
      text += node.token.getContent();
      continue;
    }
    const segment = (shadowed ? undefined : slotOrField(node)) ?? { kind: 'liquid' as const, nodes: [node] };
    const before = segments.at(-1);
    if (text === '' && segment.kind === 'liquid' && before?.kind === 'liquid') {
      before.nodes.push(node);
      continue;
    }
    flush(false);
    segments.push(segment);
  }
  flush(true);
  return segments;
}

function slotOrField(node: Template): Segment | undefined {
  if (!(node instanceof Output)) return undefined;
  const [expression, ...more] = node.value.initial.postfix;
  if (expression === undefined || more.length > 0 || !TypeGuards.isPropertyAccessToken(expression))
    return undefined;
  // `variable` is set only for a path that starts at a literal.
  if (expression.variable !== undefined || expression.props.length !== 2) return undefined;
  const [root, name] = expression.props.map((token) =>
    TypeGuards.isWordToken(token) ? token.content : undefined,
  );
  if (name === undefined) return undefined;
  // The escape of HTML output is the last filter, and has no name of its own.
  const filters = node.value.filters.filter((filter) => !isOutputEscape(filter.name));
  if (root === 'links' && filters.length === 0) {
    const linkNo = /^click_(\d{1,5})$/.exec(name)?.[1];
    return { kind: 'slot', name: linkNo === undefined ? name : 'click', linkNo: Number(linkNo ?? 0) };
  }
  if (root !== 'contact' || computedNames.has(name) || filters.length > 1) return undefined;
  const [filter] = filters;
  if (filter === undefined) return { kind: 'field', field: name, fallback: '', nodes: [node] };
  const [argument, ...others] = filter.args;
  if (filter.name !== 'default' || others.length > 0 || argument === undefined || Array.isArray(argument))
    return undefined;
  if (!TypeGuards.isQuotedToken(argument)) return undefined;
  return { kind: 'field', field: name, fallback: argument.content, nodes: [node] };
}

/** Liquid answers these on every object, own property or not. */
const computedNames = new Set(['size', 'first', 'last']);

function isOutputEscape(name: string): boolean {
  return name.startsWith('function') || name.startsWith('[object');
}

/** Where one message is put together; grows to the largest one and is used again for the next. */
export class MessageBuffer {
  bytes = Buffer.allocUnsafeSlow(256 * 1024);
  length = 0;

  copy(bytes: Buffer): void {
    this.reserve(bytes.length);
    bytes.copy(this.bytes, this.length);
    this.length += bytes.length;
  }

  copyPart(bytes: Buffer, end: number): void {
    this.reserve(end);
    bytes.copy(this.bytes, this.length, 0, end);
    this.length += end;
  }

  /** `text` has to be Latin-1, and is written as it is. */
  ascii(text: string): void {
    this.reserve(text.length);
    this.length += this.bytes.write(text, this.length, 'latin1');
  }

  /** Ends with a soft break, so the next segment starts at column 0. */
  quotedPrintable(text: string): void {
    this.reserve(text.length * bytesPerUnit + 3);
    this.length = writeQuotedPrintable(text, this.bytes, this.length, true);
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.length + count));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

/** Renders Liquid nodes in a context that outlives them. @throws RenderError `liquid_failed`, `too_large` */
export function renderNodes(engine: LiquidEngine, nodes: Template[], context: Context): string {
  const emitter = new CappedEmitter();
  try {
    toValueSync(engine.liquid.renderer.renderTemplates(nodes, context, emitter));
  } catch (error) {
    if (emitter.isFull)
      throw new RenderError('too_large', `A part renders more than ${outputLimit} characters.`);
    throw new RenderError('liquid_failed', error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
  return emitter.buffer;
}

class CappedEmitter {
  buffer = '';
  isFull = false;

  write(value: unknown): void {
    this.buffer += typeof value === 'string' ? value : stringify(value);
    if (this.buffer.length <= outputLimit) return;
    this.isFull = true;
    throw new Error('output limit exceeded');
  }
}

/** As Liquid prints a value. */
function stringify(input: unknown): string {
  const value: unknown = toValue(input);
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  // oxlint-disable-next-line typescript/no-base-to-string -- Liquid prints objects this way too
  return Array.isArray(value) ? value.map(stringify).join('') : String(value);
}
