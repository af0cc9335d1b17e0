import type { EmailContent, EmailContext, FrozenEmail } from '../email-content.ts';
import { freezeEmail } from './render-snapshot.ts';
import { createLinkTargets } from '../links/link-targets.ts';
import { previewEmail } from './preview-email.ts';
import { renderPage, type OwnLinks } from './render-page.ts';

/** What a template process can be asked for. */
export type TemplateTask =
  | { kind: 'freeze'; content: EmailContent; context: EmailContext }
  | { kind: 'preview'; content: EmailContent; context: EmailContext; contact: Record<string, unknown> }
  | { kind: 'page'; frozen: FrozenEmail; contact: Record<string, unknown>; ownLinks: OwnLinks }
  | {
      kind: 'link';
      frozen: Pick<FrozenEmail, 'links' | 'context'>;
      contact: Record<string, unknown>;
      linkNo: number;
    };

process.on('message', (task: TemplateTask) => {
  void answer(task);
});
// Ctrl-C reaches all processes of a terminal: the server ends this one when it is through.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Without the server there is nobody to work for.
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });

async function answer(task: TemplateTask): Promise<void> {
  try {
    process.send?.({ result: await run(task) });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.message.slice(0, 500) : String(error) });
  }
}

function run(task: TemplateTask): unknown {
  switch (task.kind) {
    case 'freeze':
      return freezeEmail(task.content, task.context);
    case 'preview':
      return previewEmail(task.content, task.context, task.contact);
    case 'page':
      return renderPage(task.frozen, task.contact, task.ownLinks);
    default:
      return createLinkTargets(task.frozen).target(task.contact, task.linkNo);
  }
}
