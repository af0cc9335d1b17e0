import { AssignTag, ForTag, Output, TablerowTag, type Template, TypeGuards } from 'liquidjs';
import type { LiquidEngine } from './liquid-engine.ts';
import { filterNames, tagNames, walkNodes } from './liquid-nodes.ts';

/**
 * Finds where a contact's value, or one assigned from it, is printed with the filter `raw`. Without escapes only
 * an organization's own rich text may be printed, never what a stranger wrote.
 * @returns the source of the first such place
 */
export function findRawContactOutput(engine: LiquidEngine, source: string): string | undefined {
  const nodes = [...walkNodes(engine.parse(source))];
  const reads = createContactReader(engine, source, nodes);
  return nodes.find((node) => printsRaw(node) && reads(node))?.token.getText();
}

/**
 * @returns whether a node without a body may read `contact`, or whatever is assigned or looped from it. Captured text is
 * escaped already, so it does not count.
 */
function createContactReader(
  { liquid }: LiquidEngine,
  source: string,
  nodes: Template[],
): (node: Template) => boolean {
  const lines = source.split('\n');
  const names = new Set(['contact']);
  const reads = (node: Template) =>
    // These take an expression as a text, which the analysis does not see.
    filterNames([node]).some((name) => name.endsWith('_exp')) ||
    Object.entries(liquid.analyzeSync([node], { partials: false }).variables).some(
      ([root, uses]) =>
        names.has(root) ||
        // `[name].bio` reads whatever `name` holds, `contact` for instance; the analysis takes it for `name.bio`.
        uses.some(({ location: { row, col } }) => lines[row - 1]?.[col - 1] === '['),
    );
  // A name may be used, in a loop, above the line that fills it: repeat until nothing is added.
  for (let before = 0; before < names.size;) {
    before = names.size;
    for (const node of nodes) {
      if (node instanceof AssignTag) {
        if (!reads(node)) continue;
        const { locals } = liquid.analyzeSync([node], { partials: false });
        for (const name of Object.keys(locals)) names.add(name);
      } else if (node instanceof ForTag || node instanceof TablerowTag) {
        const { collection } = node;
        if (!TypeGuards.isPropertyAccessToken(collection)) continue;
        const [root] = collection.props;
        const isNamed = root !== undefined && 'content' in root && names.has(String(root.content));
        if (isNamed || collection.input[collection.begin] === '[') names.add(node.variable);
      }
    }
  }
  return reads;
}

function printsRaw(node: Template): boolean {
  if (node instanceof Output) return node.value.filters.at(-1)?.name === 'raw';
  const [name] = tagNames([node]);
  return (name === 'echo' || name === 'cycle') && /\|\s*raw\b/.test(node.token.getText());
}
