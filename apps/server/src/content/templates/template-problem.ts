import type { TemplateProblem } from '@reachout/contract/templates.ts';
import type { CompileProblem } from '../../email/email-content.ts';

/** A problem as the contract tells it. */
export const toTemplateProblem = (problem: CompileProblem): TemplateProblem => {
  const { code, severity, message, field = null, line = null, variable = null, count = null } = problem;
  return { code, severity, message, field, line, variable, count };
};
