import { AssignTag, CaptureTag, ForTag, Output, TablerowTag, type Template, TypeGuards } from 'liquidjs';
import type { LiquidEngine } from './liquid-engine.ts';
import { filterNames, tagNames, walkNodes } from './liquid-nodes.ts';

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
 * @returns `reads`: whether a node without a body may read `contact`, or a variable assigned or looped from it.
 * `readsCaptured`: whether it may read text captured from it, which is already escaped.
 */
function createContactReader(
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
        if (body.some((inner) => reads(inner) || readsCaptured(inner))) captured.add(node.variable);
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
