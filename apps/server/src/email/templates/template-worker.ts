import type { EmailContent, EmailContext, EmailSnapshot } from '../email-content.ts';
import { renderSnapshot } from './render-snapshot.ts';
import { createLinkTargets } from '../links/link-targets.ts';
import { previewEmail } from './preview-email.ts';
import { renderPage, type MessageLinks } from './render-page.ts';

/** The tasks of a template process. */
export type TemplateTask =
  | { kind: 'snapshot'; content: EmailContent; context: EmailContext }
  | { kind: 'preview'; content: EmailContent; context: EmailContext; contact: Record<string, unknown> }
  | { kind: 'page'; snapshot: EmailSnapshot; contact: Record<string, unknown>; messageLinks: MessageLinks }
  | {
      kind: 'link';
      snapshot: Pick<EmailSnapshot, 'links' | 'context'>;
      contact: Record<string, unknown>;
      linkNo: number;
    };

process.on('message', (task: TemplateTask) => {
  void respond(task);
});
// Ctrl-C reaches all processes of a terminal: the server ends this one when it is through.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Without the server there is nobody to work for.
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });

async function respond(task: TemplateTask): Promise<void> {
  try {
    process.send?.({ result: await run(task) });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.message.slice(0, 500) : String(error) });
  }
}

function run(task: TemplateTask): unknown {
  switch (task.kind) {
    case 'snapshot':
      return renderSnapshot(task.content, task.context);
    case 'preview':
      return previewEmail(task.content, task.context, task.contact);
    case 'page':
      return renderPage(task.snapshot, task.contact, task.messageLinks);
    default:
      return createLinkTargets(task.snapshot).target(task.contact, task.linkNo);
  }
}
