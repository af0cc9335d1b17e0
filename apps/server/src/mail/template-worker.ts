import { parentPort } from 'node:worker_threads';
import type { EmailContent, EmailContext } from './email-content.ts';
import { freezeEmail } from './freeze-email.ts';
import { previewEmail } from './preview-email.ts';

/** What a template thread can be asked for. */
export type TemplateTask =
  | { kind: 'freeze'; content: EmailContent; context: EmailContext }
  | { kind: 'preview'; content: EmailContent; context: EmailContext; contact: Record<string, unknown> };

const port = parentPort;
port?.on('message', (task: TemplateTask) => {
  void answer(task);
});
port?.postMessage({ ready: true });

async function answer(task: TemplateTask): Promise<void> {
  try {
    const result =
      task.kind === 'freeze'
        ? await freezeEmail(task.content, task.context)
        : await previewEmail(task.content, task.context, task.contact);
    port?.postMessage({ result });
  } catch (error) {
    port?.postMessage({ error: error instanceof Error ? error.message.slice(0, 500) : String(error) });
  }
}
