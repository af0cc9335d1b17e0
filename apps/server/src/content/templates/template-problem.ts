import type { TemplateProblem } from '@reachout/contract/templates.ts';
import type { CompileProblem } from '../../email/email-content.ts';

/** Converts a problem to its form in the contract. */
export const toTemplateProblem = (problem: CompileProblem): TemplateProblem => {
  const { code, severity, message, field = null, line = null, variable = null, count = null } = problem;
  return { code, severity, message, field, line, variable, count };
};
