import { AssignTag, CaptureTag, ForTag, Output, TablerowTag, type Template, TypeGuards } from 'liquidjs';
import type { LiquidEngine } from './liquid-engine.ts';
import { outlineHtml } from '../links/html-links.ts';
import { filterNames, ownFilterNames, tagNames, walkNodes } from './liquid-nodes.ts';
import { protectLiquid } from './protect-liquid.ts';

/**
 * Finds where a contact's value, or one assigned from it, is printed with the filter `raw`. Only an organization's own
 * rich text may be printed unescaped, never untrusted text.
 * @returns the source of the first such place
 */
export function findRawContactOutput(engine: LiquidEngine, source: string): string | undefined {
  const nodes = [...walkNodes(engine.parse(source))];
  const { reads, readsCaptured } = createContactReader(engine, source, nodes);
  // Any other filter may undo the escaping of captured text, as `url_decode` does.
  const isUnescaped = (node: Template) =>
    reads(node) || (readsCaptured(node) && filterNames([node]).some((name) => name !== 'raw'));
  return nodes.find((node) => printsRaw(node) && isUnescaped(node))?.token.getText();
}

/**
 * Finds where the filter `rich_text` would show its elements as text, because another filter or tag takes its result, or
 * where they would end the attribute or tag around them.
 * @returns the source of the first such place
 */
export function findMisplacedRichText(engine: LiquidEngine, source: string): string | undefined {
  for (const node of walkNodes(engine.parse(source))) {
    const names = ownFilterNames(node);
    if (names.includes('rich_text') && !(node instanceof Output && names.at(-1) === 'rich_text'))
      return node.token.getText();
  }
  const guarded = protectLiquid(source);
  // Outlook reads the elements in its conditional comments.
  const text = guarded.text.replaceAll(/<!--|-->/g, '');
  const { elements, attributes } = outlineHtml(text);
  for (const within of [
    ...elements,
    ...attributes.flatMap(({ name, start, end }) => [name, text.slice(start, end)]),
  ])
    for (const [, index] of within.matchAll(guarded.pattern)) {
      const liquid = guarded.sources[Number(index)] ?? '';
      if (/\|\s*rich_text\b/.test(liquid)) return liquid;
    }
  return undefined;
}

/**
 * @returns `reads`: whether a node without a body may read `contact`, or a variable assigned or looped from it.
 * `readsCaptured`: whether it may read text captured from it, which is already escaped.
 */
export function createContactReader(
  { liquid }: LiquidEngine,
  source: string,
  nodes: Template[],
): { reads: (node: Template) => boolean; readsCaptured: (node: Template) => boolean } {
  const lines = source.split('\n');
  const names = new Set(['contact']);
  const captured = new Set<string>();
  const rootsOf = (node: Template) =>
    Object.entries(liquid.analyzeSync([node], { partials: false }).variables);
  const readsCaptured = (node: Template) => rootsOf(node).some(([root]) => captured.has(root));
  const reads = (node: Template) =>
    // These filters take an expression as a string, which the analysis does not cover.
    filterNames([node]).some((name) => name.endsWith('_exp')) ||
    rootsOf(node).some(
      ([root, uses]) =>
        names.has(root) ||
        // `[name].bio` reads the variable that `name` holds, `contact` for instance; the analysis reports `name.bio`.
        uses.some(({ location: { row, col } }) => lines[row - 1]?.[col - 1] === '['),
    );
  // In a loop, a name may be used above the line that assigns it: repeat until nothing is added.
  for (let before = 0; before < names.size + captured.size;) {
    before = names.size + captured.size;
    for (const node of nodes) {
      if (node instanceof AssignTag) {
        const isCopy = filterNames([node]).length === 0;
        const filled = reads(node) || (readsCaptured(node) && !isCopy) ? names : captured;
        if (filled === captured && !readsCaptured(node)) continue;
        const { locals } = liquid.analyzeSync([node], { partials: false });
        for (const name of Object.keys(locals)) filled.add(name);
      } else if (node instanceof CaptureTag) {
        const body = [...walkNodes(node.templates)];
        if (!body.some((inner) => reads(inner) || readsCaptured(inner))) continue;
        // Rich text is no text of an attribute, for instance.
        (filterNames(body).includes('rich_text') ? names : captured).add(node.variable);
      } else if (node instanceof ForTag || node instanceof TablerowTag) {
        const { collection } = node;
        if (!TypeGuards.isPropertyAccessToken(collection)) continue;
        const [root] = collection.props;
        const name = root !== undefined && 'content' in root ? String(root.content) : '';
        const isNamed = names.has(name) || captured.has(name);
        if (isNamed || collection.input[collection.begin] === '[') names.add(node.variable);
      }
    }
  }
  return { reads, readsCaptured };
}

function printsRaw(node: Template): boolean {
  if (node instanceof Output) return node.value.filters.at(-1)?.name === 'raw';
  const [name] = tagNames([node]);
  return (name === 'echo' || name === 'cycle') && /\|\s*raw\b/.test(node.token.getText());
}
