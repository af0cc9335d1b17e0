import type { SendReceipt } from '@reachout/contract/sends.ts';
import type { EmailSnapshot } from '../../email/email-content.ts';
import type { SentEmail } from '../../email/templates/render-sent.ts';
import { runTemplateTask, TemplateTaskError } from '../../email/templates/template-processes.ts';
import type { OperationContext } from '../../identity/access/operations.ts';
import { getSendContent } from '../queue/send.queries.ts';
import { findFirstDelivery, findStarter, type FirstDelivery } from './receipt.queries.ts';
import { getSend } from './send-list.queries.ts';

type Reader = Pick<OperationContext, 'userId' | 'organizationId' | 'can' | 'transaction'>;

/** What was sent, as it was fixed at confirmation. Rendering holds no transaction meanwhile. @throws 404 */
export async function readReceipt(sendId: string, reader: Reader): Promise<SendReceipt> {
  const { content, started_by, first } = await reader.transaction(async (trx) => {
    await getSend(trx, sendId);
    return {
      content: (await getSendContent(trx, sendId)).content,
      started_by: await findStarter(trx, sendId),
      // The message has the contact's own fields.
      first: reader.can('read', 'Content') ? await findFirstDelivery(trx, sendId) : undefined,
    };
  });
  return {
    started_by,
    from: { name: content.from_name, email: content.from_email },
    reply_to: content.reply_to,
    subject: content.subject,
    shown: first === undefined ? null : await show(content, first, reader),
  };
}

async function show(
  snapshot: EmailSnapshot,
  { address, variables }: FirstDelivery,
  { organizationId, userId }: Reader,
): Promise<SendReceipt['shown']> {
  try {
    const task = { kind: 'sent', snapshot, contact: variables } as const;
    return { to: address, ...(await runTemplateTask<SentEmail>(task, organizationId, userId)) };
  } catch (error) {
    // The first message could not be built either: the list of recipients says why.
    if (error instanceof TemplateTaskError) return null;
    throw error;
  }
}
