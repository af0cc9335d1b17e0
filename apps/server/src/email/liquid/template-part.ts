import {
  IfTag,
  isTruthy,
  LiquidError,
  Output,
  toValueSync,
  TypeGuards,
  type Context,
  type Template,
  type Value,
} from 'liquidjs';
import { CappedEmitter, outputLimit } from './capped-emitter.ts';
import { type LiquidEngine } from './liquid-engine.ts';
import { limitCpuTime } from './cpu-limit.ts';
import { filterNames, tagNames, usesLoops } from './liquid-nodes.ts';
import { encodeBody, type BodyEncoder } from '../encoding/body-encoder.ts';
import { RenderError } from './render-error.ts';

/**
 * A segment of a template, which is split at its top level. Static text is already encoded so that another piece can
 * follow; slots are addresses that the renderer writes without Liquid; a field is a plain `{{ contact.x }}`; the branches
 * of an `if` are split in the same way; everything else is Liquid, in one context per part so that assign and capture
 * persist.
 */
export type Segment =
  | { kind: 'static'; bytes: Buffer; characters: number }
  | { kind: 'slot'; name: string; linkNo: number }
  | { kind: 'field'; field: string; fallback: string; nodes: Template[] }
  | { kind: 'if'; branches: { condition: Value; segments: Segment[] }[]; otherwise: Segment[] }
  | { kind: 'liquid'; nodes: Template[] };

export interface TemplatePart {
  segments: Segment[];
  needsClock: boolean;
  /** Links that Liquid itself reads, inside a condition for instance: names under `links.`, with the numbers of clicks. */
  nestedLinks: { name: string; linkNo: number | undefined }[];
}

/** Splits `source` into segments for the hot path. @throws Error of Liquid if it does not parse */
export function createTemplatePart(engine: LiquidEngine, source: string, encoder: BodyEncoder): TemplatePart {
  const nodes = engine.parse(source);
  const { locals } = engine.liquid.analyzeSync(nodes, { partials: false });
  const isShadowed = Object.hasOwn(locals, 'contact') || Object.hasOwn(locals, 'links');
  const segments = compileSegments({ engine, encoder, isShadowed }, nodes, false);
  const { variables } = engine.liquid.analyzeSync([...liquidNodes(segments)], { partials: false });
  return {
    segments,
    needsClock: needsClock(engine, source),
    nestedLinks: [...new Set((variables['links'] ?? []).map((variable) => String(variable.segments[1])))].map(
      (name) => ({ name, linkNo: readLinkNo(name) }),
    ),
  };
}

/** Whether Liquid's own limits might not suffice, so that rendering also needs a time limit. @throws Error of Liquid */
export function needsClock(engine: LiquidEngine, source: string): boolean {
  const nodes = engine.parse(source);
  return (
    usesLoops(nodes) ||
    filterNames(nodes).some((name) => !quickFilters.has(name)) ||
    hasCostlyExpression(source)
  );
}

/** @returns undefined unless `links.<name>` is a click */
function readLinkNo(name: string): number | undefined {
  const digits = /^click_(\d{1,5})$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** `contains` scans a whole text, and a long expression can do so many times: Liquid counts neither. */
const hasCostlyExpression = (source: string): boolean =>
  [...source.matchAll(/\{[{%][^]*?[%}]\}/g)].some(
    ([tag]) => tag.length > longExpression || /\bcontains\b/.test(tag),
  );

/** In characters. */
const longExpression = 500;

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

interface CompileContext {
  engine: LiquidEngine;
  encoder: BodyEncoder;
  /** The template assigns its own variables named `contact` or `links`. */
  isShadowed: boolean;
}

/** @param isInner whether more text follows, so that the last piece must be open, too */
function compileSegments(context: CompileContext, nodes: Template[], isInner: boolean): Segment[] {
  const segments: Segment[] = [];
  let text = '';
  const flush = (isLast: boolean) => {
    if (text !== '') {
      const bytes = encodeBody(context.encoder, text, isInner || !isLast);
      segments.push({ kind: 'static', bytes, characters: text.length });
    }
    text = '';
  };
  for (const node of nodes) {
    if (TypeGuards.isHTMLToken(node.token)) {
      text += node.token.getContent();
      continue;
    }
    const segment =
      compileCondition(context, node) ??
      (context.isShadowed ? undefined : slotOrField(node)) ??
      ({ kind: 'liquid', nodes: [node] } satisfies Segment);
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

/** Compiles conditions, which are common and usually contain whole sections: too much text to encode for every message. */
function compileCondition(context: CompileContext, node: Template): Segment | undefined {
  if (!(node instanceof IfTag)) return undefined;
  const inner = [...node.branches.flatMap(({ templates }) => templates), ...(node.elseTemplates ?? [])];
  if (tagNames(inner).some((name) => name === 'break' || name === 'continue')) return undefined;
  // A condition on a link's address needs that address before it is known whether the link is shown.
  if (countLinks(context.engine, [node]) > countLinks(context.engine, inner)) return undefined;
  return {
    kind: 'if',
    branches: node.branches.map(({ value, templates }) => ({
      condition: value,
      segments: compileSegments(context, templates, true),
    })),
    otherwise: compileSegments(context, node.elseTemplates ?? [], true),
  };
}

const countLinks = ({ liquid }: LiquidEngine, nodes: Template[]): number =>
  liquid.analyzeSync(nodes, { partials: false }).variables['links']?.length ?? 0;

function* liquidNodes(segments: Segment[]): Generator<Template> {
  for (const segment of segments) {
    if (segment.kind === 'liquid') yield* segment.nodes;
    if (segment.kind !== 'if') continue;
    for (const branch of segment.branches) yield* liquidNodes(branch.segments);
    yield* liquidNodes(segment.otherwise);
  }
}

function slotOrField(node: Template): Segment | undefined {
  if (!(node instanceof Output)) return undefined;
  const [expression, ...more] = node.value.initial.postfix;
  if (expression === undefined || more.length > 0 || !TypeGuards.isPropertyAccessToken(expression))
    return undefined;
  // `variable` is set only for a path that starts with a literal.
  if (expression.variable !== undefined || expression.props.length !== 2) return undefined;
  const [root, name] = expression.props.map((token) =>
    TypeGuards.isWordToken(token) ? token.content : undefined,
  );
  if (name === undefined) return undefined;
  // The escape of HTML output is the last filter, and has no name.
  const filters = node.value.filters.filter((filter) => !isOutputEscape(filter.name));
  if (root === 'links' && filters.length === 0) {
    const linkNo = readLinkNo(name);
    return { kind: 'slot', name: linkNo === undefined ? name : 'click', linkNo: linkNo ?? 0 };
  }
  if (root !== 'contact' || computedNames.has(name) || filters.length > 1) return undefined;
  const [filter] = filters;
  if (filter === undefined) return { kind: 'field', field: name, fallback: '', nodes: [node] };
  const [argument, ...others] = filter.args;
  if (filter.name !== 'default' || others.length > 0 || argument === undefined || Array.isArray(argument))
    return undefined;
  if (!TypeGuards.isQuotedToken(argument) || argument.content.includes('\\')) return undefined;
  return { kind: 'field', field: name, fallback: argument.content, nodes: [node] };
}

/** Liquid resolves these on every object, own property or not. */
const computedNames = new Set(['size', 'first', 'last']);

const isOutputEscape = (name: string): boolean => name.startsWith('function') || name.startsWith('[object');

/** @throws RenderError `liquid_failed` */
export function isConditionMet(condition: Value, context: Context): boolean {
  try {
    limitCpuTime(context);
    context.renderLimit.check(performance.now());
    return isTruthy(toValueSync(condition.value(context, context.opts.lenientIf)), context);
  } catch (error) {
    throw liquidFailure(error);
  }
}

/**
 * Renders Liquid nodes in a context that can be used for further nodes.
 * @param limit maximum characters
 * @throws RenderError `liquid_failed`, `too_large`
 */
export function renderNodes(
  engine: LiquidEngine,
  nodes: Template[],
  context: Context,
  limit = outputLimit,
): string {
  const emitter = new CappedEmitter(limit);
  limitCpuTime(context);
  try {
    toValueSync(engine.liquid.renderer.renderTemplates(nodes, context, emitter));
  } catch (error) {
    throw liquidFailure(error);
  }
  return emitter.buffer;
}

function liquidFailure(error: unknown): RenderError {
  // Liquid wraps errors that are thrown during rendering.
  if (LiquidError.is(error) && error.originalError instanceof RenderError) return error.originalError;
  const detail = error instanceof Error ? error.message : String(error);
  return new RenderError('liquid_failed', detail, {
    cause: error,
    sendError: { code: 'template_failed', values: { detail } },
  });
}
