import { problemOf } from './compile-email.ts';
import type { EmailContent, EmailContext } from './email-content.ts';
import type { EmailPreview } from './preview-email.ts';
import { runTemplateTask, TemplateTaskError } from './template-threads.ts';

/**
 * Renders an email as one contact would get it, in a thread that is killed after 2 s (TPL-2). Links lead to
 * their plain destinations or nowhere, never to anything that counts or unsubscribes.
 * @returns empty texts when a warning of severity `error` says why nothing can be shown
 */
export async function renderPreview(
  content: EmailContent,
  context: EmailContext,
  contact: Record<string, unknown>,
): Promise<EmailPreview> {
  try {
    return await runTemplateTask<EmailPreview>({ kind: 'preview', content, context, contact });
  } catch (error) {
    if (!(error instanceof TemplateTaskError)) throw error;
    return { subject: '', preheader: '', html: '', text: '', warnings: [problemOf(error)] };
  }
}
