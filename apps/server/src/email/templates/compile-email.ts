import {
  noTags,
  type CompileProblem,
  type EmailContent,
  type EmailContext,
  type EmailSnapshot,
  type MergeTags,
} from '../email-content.ts';
import { runTemplateTask, TemplateTaskError } from './template-processes.ts';
import type { CompiledEmail } from './template-worker.ts';

export type CompileResult =
  | { ok: true; snapshot: EmailSnapshot; tags: MergeTags; warnings: CompileProblem[] }
  | { ok: false; tags: MergeTags; problems: CompileProblem[] };

/**
 * Compiles an email for a send, in a process that is killed after 2 s. Parts that are the same for all recipients are
 * rendered now, so that `context` has to be the one of the send.
 * @param context plain data: organization, client, brand, campaign, touchpoint, item
 * @param owner the organization; `person` is the user who requests it. Each uses at most one process
 * @throws LimitExceeded
 */
export async function compileEmail(
  content: EmailContent,
  context: EmailContext,
  owner: string,
  person?: string,
): Promise<CompileResult> {
  try {
    const { snapshot, tags, problems } = await runTemplateTask<CompiledEmail>(
      { kind: 'snapshot', content, context },
      owner,
      person,
    );
    if (snapshot === undefined || problems.some(({ severity }) => severity === 'error'))
      return { ok: false, tags, problems };
    return { ok: true, snapshot, tags, warnings: problems };
  } catch (error) {
    if (error instanceof TemplateTaskError) return { ok: false, tags: noTags, problems: [problemOf(error)] };
    throw error;
  }
}

/** @returns the problem to show if the process gave no response */
export function problemOf({ reason, message }: TemplateTaskError): CompileProblem {
  return { code: reason === 'failed' ? 'render_failed' : reason, severity: 'error', message };
}
