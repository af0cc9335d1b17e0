import { maxBodyEntries, maxBodyKeys } from '@reachout/contract/rules/lengths.ts';

const maxDepth = 32;

/**
 * Checks a parsed body before it is validated against a schema.
 * @returns a description of the problem; undefined if there is none
 */
export function findShapeProblem(body: unknown, maxKeys = maxBodyKeys): string | undefined {
  const open: { value: unknown; depth: number }[] = [{ value: body, depth: 1 }];
  let keys = 0;
  let entries = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      return 'Whole numbers must stay below 2^53; send larger ones as strings.';
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth > maxDepth) return `The body is nested more than ${maxDepth} levels deep.`;
    const children: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (Array.isArray(value)) entries += children.length;
    else keys += children.length;
    if (keys > maxKeys) return `The body has more than ${maxKeys} keys.`;
    if (entries > maxBodyEntries) return `The lists of the body have more than ${maxBodyEntries} entries.`;
    for (const child of children) open.push({ value: child, depth: depth + 1 });
  }
  return undefined;
}
