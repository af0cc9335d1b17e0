import { accessScopeOf } from '@reachout/contract/abilities.ts';
import type { SendReceipt } from '@reachout/contract/sends.ts';
import { takesSingleMessages } from '@reachout/contract/states/send.ts';
import type { EmailSnapshot } from '../../email/email-content.ts';
import type { SentEmail } from '../../email/templates/render-sent.ts';
import { runTemplateTask, TemplateTaskError } from '../../email/templates/template-processes.ts';
import type { OperationContext } from '../../identity/access/operations.ts';
import { getSendContent } from '../queue/send.queries.ts';
import { findFirstSent, findStarter, type FirstDelivery } from './receipt.queries.ts';
import { getSend } from './send-list.queries.ts';

type Reader = Pick<OperationContext, 'userId' | 'organizationId' | 'rules' | 'can' | 'transaction'>;

/** Returns what was sent, as stored at confirmation. No transaction is open during rendering. @throws 404 */
export async function readReceipt(sendId: string, reader: Reader): Promise<SendReceipt> {
  const { content, started_by, first } = await reader.transaction(async (trx) => {
    const send = await getSend(trx, sendId);
    // The message contains fields of the contact, which all clients may share; a single message contains data that a program
    // supplied about one customer.
    const isShown = readsAllContacts(reader) && !takesSingleMessages(send);
    return {
      content: (await getSendContent(trx, sendId)).content,
      started_by: await findStarter(trx, sendId),
      first: isShown ? await findFirstSent(trx, sendId) : undefined,
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

const readsAllContacts = ({ rules, can, organizationId }: Reader): boolean =>
  can('read', 'Content') && accessScopeOf(rules, 'read', 'Content', organizationId) === 'all';

async function show(
  snapshot: EmailSnapshot,
  { address, variables }: FirstDelivery,
  { organizationId, userId }: Reader,
): Promise<SendReceipt['shown']> {
  try {
    const task = { kind: 'sent', snapshot, contact: variables } as const;
    return { to: address, ...(await runTemplateTask<SentEmail>(task, organizationId, userId)) };
  } catch (error) {
    // The first message could not be built either: the list of recipients shows the reason.
    if (error instanceof TemplateTaskError) return null;
    throw error;
  }
}
