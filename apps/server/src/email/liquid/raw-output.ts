import { AssignTag, ForTag, Output, TablerowTag, type Template, TypeGuards } from 'liquidjs';
import type { LiquidEngine } from './liquid-engine.ts';
import { tagNames, walkNodes } from './liquid-nodes.ts';

/**
 * Finds where a contact's value, or one assigned from it, is printed with the filter `raw`. Without escapes only
 * an organization's own rich text may be printed, never what a stranger wrote.
 * @returns the source of the first such place
 */
export function findRawContactOutput(engine: LiquidEngine, source: string): string | undefined {
  const nodes = [...walkNodes(engine.parse(source))];
  const contactNames = namesFromContact(engine, nodes);
  for (const node of nodes) {
    if (!printsRaw(node)) continue;
    if (rootsOf(engine, [node]).some((root) => contactNames.has(root))) return node.token.getText();
  }
  return undefined;
}

/** `contact`, and whatever is assigned or looped from it. Captured text is escaped already, so it does not count. */
function namesFromContact(engine: LiquidEngine, nodes: Template[]): Set<string> {
  const names = new Set(['contact']);
  // A name may be used, in a loop, above the line that fills it: repeat until nothing is added.
  for (let before = 0; before < names.size;) {
    before = names.size;
    for (const node of nodes) {
      if (node instanceof AssignTag) {
        const { variables, locals } = engine.liquid.analyzeSync([node], { partials: false });
        if (!Object.keys(variables).some((root) => names.has(root))) continue;
        for (const name of Object.keys(locals)) names.add(name);
      } else if (node instanceof ForTag || node instanceof TablerowTag) {
        const { collection } = node;
        const [root] = TypeGuards.isPropertyAccessToken(collection) ? collection.props : [];
        if (root !== undefined && 'content' in root && names.has(String(root.content)))
          names.add(node.variable);
      }
    }
  }
  return names;
}

function printsRaw(node: Template): boolean {
  if (node instanceof Output) return node.value.filters.at(-1)?.name === 'raw';
  const [name] = tagNames([node]);
  return (name === 'echo' || name === 'cycle') && /\|\s*raw\b/.test(node.token.getText());
}

function rootsOf({ liquid }: LiquidEngine, nodes: Template[]): string[] {
  return Object.keys(liquid.analyzeSync(nodes, { partials: false }).variables);
}
