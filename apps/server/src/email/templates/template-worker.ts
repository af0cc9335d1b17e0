import { cutText } from '@reachout/contract/rules/cut-text.ts';
import type { CompileProblem, EmailContent, EmailContext, EmailSnapshot } from '../email-content.ts';
import { renderSnapshot, type SnapshotResult } from './render-snapshot.ts';
import { createLinkTargets } from '../links/link-targets.ts';
import { nowhereLinks, renderHtml, renderPage, withoutLinksTo, type MessageLinks } from './render-page.ts';
import { previewEmail } from './preview-email.ts';
import { renderSent } from './render-sent.ts';
import { tryRecipients } from './try-recipients.ts';

export type TemplateTask =
  | { kind: 'snapshot'; content: EmailContent; context: EmailContext }
  | { kind: 'preview'; content: EmailContent; context: EmailContext; contact: Record<string, unknown> }
  | { kind: 'page'; snapshot: EmailSnapshot; contact: Record<string, unknown>; messageLinks: MessageLinks }
  | { kind: 'sent'; snapshot: EmailSnapshot; contact: Record<string, unknown> }
  | { kind: 'trial'; snapshot: EmailSnapshot; contacts: readonly Record<string, unknown>[] }
  /** Renders without a recipient, with these addresses in place of the links' own. */
  | { kind: 'link_map'; snapshot: EmailSnapshot; links: Record<string, string> }
  | {
      kind: 'link';
      snapshot: Pick<EmailSnapshot, 'links' | 'context'>;
      contact: Record<string, unknown>;
      linkNo: number;
    };

/** A snapshot that can be sent has no problem of severity `error`. */
export type CompiledEmail = Pick<SnapshotResult, 'snapshot' | 'tags' | 'problems'>;

process.on('message', (task: TemplateTask) => {
  void respond(task);
});
// Ctrl-C reaches all processes of a terminal: the server ends this one when it is done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Exits when the server is gone.
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });

async function respond(task: TemplateTask): Promise<void> {
  try {
    process.send?.({ result: await run(task) });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? cutText(error.message, 500) : String(error) });
  }
}

async function run(task: TemplateTask): Promise<unknown> {
  switch (task.kind) {
    case 'snapshot': {
      const { snapshot, tags, problems } = await renderSnapshot(task.content, task.context);
      return { snapshot, tags, problems: capProblems(problems) } satisfies CompiledEmail;
    }
    case 'preview': {
      const preview = await previewEmail(task.content, task.context, task.contact);
      return { ...preview, warnings: capProblems(preview.warnings) };
    }
    case 'page':
      return withoutLinksTo(
        renderPage(task.snapshot, task.contact, task.messageLinks),
        task.messageLinks.view_in_browser,
      );
    case 'sent':
      return renderSent(task.snapshot, task.contact);
    case 'trial':
      return tryRecipients(task.snapshot, task.contacts);
    case 'link_map':
      return renderHtml(task.snapshot, {}, { ...nowhereLinks, ...task.links });
    default:
      return createLinkTargets(task.snapshot).target(task.contact, task.linkNo);
  }
}

/** Maximum reported problems: a template of 1 MB can have 100,000, and nobody reads so many. */
const problemLimit = 100;

function capProblems(problems: CompileProblem[]): CompileProblem[] {
  if (problems.length <= problemLimit) return problems;
  const isError = ({ severity }: CompileProblem) => Number(severity === 'error');
  return problems.toSorted((a, b) => isError(b) - isError(a)).slice(0, problemLimit);
}
