import type { CompileProblem, EmailContent, EmailContext, FrozenEmail } from './email-content.ts';

export type CompileResult =
  | { ok: true; frozen: FrozenEmail; warnings: CompileProblem[] }
  | { ok: false; problems: CompileProblem[] };

export async function compileEmail(_content: EmailContent, _context: EmailContext): Promise<CompileResult> {
  throw new Error('not built yet');
}
