import { problemOf } from './compile-email.ts';
import type { EmailContent, EmailContext } from '../email-content.ts';
import { noTags } from '../merge-tags.ts';
import type { EmailPreview } from './preview-email.ts';
import { runTemplateTask, TemplateTaskError } from './template-processes.ts';

/**
 * Renders an email as one contact would get it, in a process that is killed after 2 s. Links lead to
 * their plain destinations or nowhere, never to anything that counts or unsubscribes.
 * @param owner the organization, and the person who asks: each has one process at most
 * @returns empty texts when a warning of severity `error` says why nothing can be shown
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
