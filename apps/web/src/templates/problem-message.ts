import type { TemplateProblem } from '@reachout/contract/templates.ts';

/** What a problem says. The renderer's own words name the tag or variable at fault, so they are shown as they are. */
export function useProblemMessage(): (problem: TemplateProblem) => string {
  return (problem) => problem.message;
}
