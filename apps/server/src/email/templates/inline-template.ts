import { Context, Output, TypeGuards, type Tag, type Template } from 'liquidjs';
import type { EmailContext } from '../email-content.ts';
import { outputLimit, partTooLarge } from '../liquid/capped-emitter.ts';
import { type LiquidEngine } from '../liquid/liquid-engine.ts';
import { tagNames } from '../liquid/liquid-nodes.ts';
import { renderNodes } from '../liquid/template-part.ts';

/**
 * Renders the parts that are the same in every message of a send, so that only the parts that depend on the contact stay
 * Liquid. A loop over shared items becomes plain HTML, and its links can be distinguished.
 * @throws RenderError
 */
export function inlineTemplate(engine: LiquidEngine, source: string, context: EmailContext): string {
  const nodes = engine.parse(source);
  const assigned = new Set(Object.keys(engine.liquid.analyzeSync(nodes, { partials: false }).locals));
  let inlined = '';
  for (const [index, node] of nodes.entries()) {
    if (TypeGuards.isHTMLToken(node.token)) {
      inlined += node.token.getContent();
      continue;
    }
    // A block's token is its opening tag only; the block ends where the next node starts.
    const nodeSource = source.slice(node.token.begin, nodes[index + 1]?.token.begin ?? source.length);
    inlined += isShared(engine, node, nodeSource, assigned) ? asText(engine, node, context) : nodeSource;
    if (inlined.length > outputLimit) throw partTooLarge();
  }
  return inlined;
}

/** Tags that do not affect the nodes after them. */
const inlinableTags = new Set(['for', 'tablerow', 'if', 'unless', 'case', 'raw', 'comment', '#', 'echo']);
const innerTags = new Set([...inlinableTags, 'break', 'continue']);

function isShared(engine: LiquidEngine, node: Template, source: string, assigned: Set<string>): boolean {
  if (!(node instanceof Output) && !inlinableTags.has((node as Tag).name)) return false;
  if (!tagNames([node]).every((name) => innerTags.has(name))) return false;
  // The time of sending differs from the time of compiling.
  if (/['"](?:now|today)['"]/.test(source)) return false;
  const { globals } = engine.liquid.analyzeSync([node], { partials: false });
  return Object.keys(globals).every((root) => root !== 'contact' && root !== 'links' && !assigned.has(root));
}

/** Renders a node and escapes braces: those from data must not become Liquid when the result is parsed again. */
function asText(engine: LiquidEngine, node: Template, context: EmailContext): string {
  const scope = new Context(context, engine.liquid.options, { sync: true });
  return renderNodes(engine, [node], scope).replaceAll('{', '&#123;');
}
