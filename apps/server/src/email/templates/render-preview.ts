import { problemOf } from './compile-email.ts';
import { noTags, type EmailContent, type EmailContext } from '../email-content.ts';
import type { EmailPreview } from './preview-email.ts';
import { runTemplateTask, TemplateTaskError } from './template-processes.ts';

/**
 * Renders an email as one contact would receive it, in a process that is killed after 2 s. Links lead to their plain
 * destinations or nowhere, never to tracking or unsubscribe URLs.
 * @param owner the organization; `person` is the user who requests it. Each uses at most one process
 * @returns empty texts if nothing can be shown; a warning of severity `error` then gives the reason
 * @throws LimitExceeded
 */
export async function renderPreview(
  content: EmailContent,
  context: EmailContext,
  contact: Record<string, unknown>,
  owner: string,
  person?: string,
): Promise<EmailPreview> {
  try {
    return await runTemplateTask<EmailPreview>({ kind: 'preview', content, context, contact }, owner, person);
  } catch (error) {
    if (!(error instanceof TemplateTaskError)) throw error;
    return { subject: '', preheader: '', html: '', text: '', tags: noTags, warnings: [problemOf(error)] };
  }
}
