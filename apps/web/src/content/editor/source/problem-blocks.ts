import type { TemplateProblem } from '@reachout/contract/templates.ts';
import type { Range } from './liquid.ts';
import type { Located } from './operations.ts';

/** @returns where each line is, as the code editor and the server count lines */
function lineRanges(source: string): Range[] {
  let at = 0;
  return source.split('\n').map((line) => {
    const start = at;
    at += line.length + 1;
    return { start, end: start + line.length };
  });
}

const blockIn = (blocks: readonly Located[], range: Range | undefined): Located | undefined =>
  range && blocks.findLast(({ node }) => node.start <= range.end && node.end >= range.start);

/** @returns the innermost block on a line (1-based) */
export const blockOnLine = (blocks: readonly Located[], source: string, line: number): Located | undefined =>
  blockIn(blocks, lineRanges(source)[line - 1]);

/** Each problem belongs to the innermost block on its line. */
export function problemsByBlock(
  blocks: readonly Located[],
  source: string,
  problems: readonly TemplateProblem[],
): Map<Located, TemplateProblem[]> {
  const found = new Map<Located, TemplateProblem[]>();
  const lines = problems.length === 0 ? [] : lineRanges(source);
  for (const problem of problems) {
    const range =
      problem.field === 'mjml' || problem.field === null ? lines[(problem.line ?? 0) - 1] : undefined;
    const block = blockIn(blocks, range);
    if (block) found.set(block, [...(found.get(block) ?? []), problem]);
  }
  return found;
}
