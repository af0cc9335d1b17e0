import type { CompileProblem, EmailContent, EmailContext, EmailSnapshot } from '../email-content.ts';
import { noTags, type MergeTags } from '../merge-tags.ts';
import { runTemplateTask, TemplateTaskError } from './template-processes.ts';
import type { CompiledEmail } from './template-worker.ts';

export type CompileResult =
  | { ok: true; snapshot: EmailSnapshot; tags: MergeTags; warnings: CompileProblem[] }
  | { ok: false; tags: MergeTags; problems: CompileProblem[] };

/**
 * Compiles an email for a send, in a process that is killed after 2 s. Whatever is the same for all
 * recipients goes into the result now, so `context` has to be the one of the send.
 * @param context plain data: organization, client, brand, campaign, touchpoint, item
 * @param owner the organization, and the person who asks: each has one process at most
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

/** The problem to show when the process gave no response. */
export function problemOf({ reason, message }: TemplateTaskError): CompileProblem {
  return { code: reason === 'failed' ? 'render_failed' : reason, severity: 'error', message };
}
