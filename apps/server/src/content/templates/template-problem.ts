import type { TemplateProblem } from '@reachout/contract/templates.ts';
import type { CompileProblem } from '../../email/email-content.ts';

/** A problem as the contract tells it. */
export const toTemplateProblem = ({ code, severity, message, line }: CompileProblem): TemplateProblem => ({
  code,
  severity,
  message,
  line: line ?? null,
});
