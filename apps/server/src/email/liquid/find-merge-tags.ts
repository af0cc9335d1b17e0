import {
  Context,
  CycleTag,
  EchoTag,
  evalQuotedToken,
  Output,
  TypeGuards,
  Value,
  type Template,
} from 'liquidjs';
import type { EmailContext, ContactTest, EmptyItemField, MergeTag } from '../email-content.ts';
import { stringify } from './capped-emitter.ts';
import { type LiquidEngine } from './liquid-engine.ts';
import { walkNodes } from './liquid-nodes.ts';
import { createContactReader } from './raw-output.ts';
import { renderNodes } from './template-part.ts';

/** A place where a template can print nothing. */
export interface FoundTag extends Pick<MergeTag, 'variable' | 'empty'> {
  node: Template;
}

/** A place where a template prints a field of a content item, which is empty. */
export interface FoundItemField extends Pick<EmptyItemField, 'of' | 'field'> {
  item: unknown;
  node: Template;
}

/**
 * Finds the merge tags that can print nothing. What all recipients share is rendered, which tells what is empty. Of what depends
 * on the contact, only plain tags outside of conditions and loops can be counted.
 * @param add  is called for each place, for those in loops repeatedly
 * @returns the variables that the template reads, without their paths
 * @throws RenderError
 */
export function findMergeTags(
  engine: LiquidEngine,
  source: string,
  context: EmailContext,
  add: { tag: (tag: FoundTag) => void; itemField: (field: FoundItemField) => void },
): string[] {
  const nodes = engine.parse(source);
  const { locals, globals } = engine.liquid.analyzeSync(nodes, { partials: false });
  const { reads, readsCaptured } = createContactReader(engine, source, [...walkNodes(nodes)]);
  const scope = new Context({ ...context, contact: {}, links: {} }, engine.liquid.options, { sync: true });
  const addBlank = (tag: FoundTag, [root, ...path]: string[]) => {
    if (root === undefined) return add.tag(tag);
    const field = itemFieldOf([root, ...path], scope, context);
    if (field !== undefined) return add.itemField({ ...field, node: tag.node });
    // Otherwise it is the variable of a loop.
    const isKnown = Object.hasOwn(context, root) || scope.getSync([root]) === undefined;
    add.tag(isKnown ? { ...tag, empty: 'always' } : tag);
  };
  const unseen = new Map<FoundTag, { path: string[]; block: Template }>();
  for (const block of nodes)
    for (const node of walkNodes([block])) {
      const printed = printedBy(node);
      if (printed === undefined) continue;
      const { value, text } = printed;
      const path = Object.hasOwn(locals, printed.path[0] ?? '') ? [] : printed.path;
      const isField = path[0] === 'contact';
      const tag: FoundTag = { variable: isField ? path.join('.') : text, node, empty: 'not_counted' };
      const test = value && testOf(value, path);
      if (isField || reads(node)) {
        if (test !== undefined && isField && node === block) add.tag({ ...tag, empty: test });
        else if (test?.hasFallback !== true) add.tag(tag);
      } else if (value !== undefined && path[0] !== 'links' && !readsCaptured(node)) {
        if (test?.hasFallback !== true) unseen.set(tag, { path, block });
        watchOutput(node, (output) => {
          unseen.delete(tag);
          if (isBlank(output)) addBlank(tag, path);
        });
      }
    }
  renderNodes(engine, nodes, scope);
  // What was not rendered for want of a contact.
  for (const [tag, { path, block }] of unseen)
    if (reads(block) && (path.length === 0 || isBlank(scope.getSync(path)))) add.tag(tag);
  return Object.keys(globals);
}

const isBlank = (value: unknown): boolean => stringify(value).trim() === '';

interface Printed {
  /** Undefined for one of several values. */
  value: Value | undefined;
  /** Empty if only rendering can tell. */
  path: string[];
  text: string;
}

/** @returns the variable that a node prints */
function printedBy(node: Template): Printed | undefined {
  if (node instanceof CycleTag) return { value: undefined, path: [], text: node.token.getText() };
  if (!(node instanceof Output || node instanceof EchoTag)) return undefined;
  const [value] = node.arguments();
  if (!(value instanceof Value)) return undefined;
  const [token, ...others] = value.initial.postfix;
  if (!TypeGuards.isPropertyAccessToken(token) || others.length > 0) return undefined;
  const path = token.props.map((prop) =>
    TypeGuards.isWordToken(prop) || TypeGuards.isQuotedToken(prop) || TypeGuards.isNumberToken(prop)
      ? String(prop.content)
      : undefined,
  );
  const isKnown = token.variable === undefined && path.every((name) => name !== undefined);
  return {
    value,
    path: isKnown ? path : [],
    text: token.input.slice(token.begin, token.end).trim(),
  };
}

/** Filters that leave an empty value empty. */
const keepingFilters = new Set(['capitalize', 'downcase', 'escape', 'rich_text', 'upcase']);
/** Liquid computes these for any list, text or object. */
const computedNames = new Set(['size', 'first', 'last']);

/** @returns for which contacts a value is empty; undefined if only rendering can tell */
function testOf({ filters }: Value, [, ...path]: string[]): ContactTest | undefined {
  let hasFallback = false;
  for (const { name, args } of filters.filter((filter) => /^\w+$/.test(filter.name))) {
    const [fallback] = args;
    if (name === 'default' && TypeGuards.isQuotedToken(fallback) && evalQuotedToken(fallback).trim() !== '')
      hasFallback = true;
    else if (!keepingFilters.has(name)) return undefined;
  }
  return path.some((name) => computedNames.has(name)) ? undefined : { path, hasFallback };
}

function watchOutput(node: Template, note: (output: unknown) => void): void {
  const render = node.render.bind(node);
  node.render = (scope, emitter) =>
    render(scope, {
      buffer: '',
      write: (output: unknown) => {
        note(output);
        emitter.write(output);
      },
    });
}

/** @returns the field of a content item at a path, also of one in a loop over them */
function itemFieldOf(
  path: readonly string[],
  scope: Context,
  { item, items }: EmailContext,
): Pick<FoundItemField, 'of' | 'field' | 'item'> | undefined {
  for (let length = 1; length < path.length; length += 1) {
    const value: unknown = scope.getSync(path.slice(0, length));
    const field = path.slice(length).join('.');
    if (typeof value === 'object' && value !== null && Array.isArray(items) && items.includes(value))
      return { of: 'items', field, item: value };
    if (length === 1 && path[0] === 'item' && value === item) return { of: 'item', field, item };
  }
  return undefined;
}
