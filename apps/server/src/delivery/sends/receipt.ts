import { findTopicOf } from '../../clients/brands/topics.ts';
import { accessScopeOf } from '@reachout/contract/abilities.ts';
import type { SendReceipt } from '@reachout/contract/sends.ts';
import { hasEnded, takesSingleMessages } from '@reachout/contract/states/send.ts';
import type { StoredAudience } from '../../contacts/audiences/audience.ts';
import { sampleAudience } from '../../contacts/audiences/count-audience.ts';
import { restoreAudience, UnusableAudience } from '../../contacts/audiences/find-audience.ts';
import type { EmailSnapshot } from '../../email/email-content.ts';
import type { SentEmail } from '../../email/templates/render-sent.ts';
import { runTemplateTask, TemplateTaskError } from '../../email/templates/template-processes.ts';
import type { OperationContext } from '../../identity/access/operations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { getSendContent } from '../../queue/send.queries.ts';
import { findConfirmation, findFirstSent, findNextDelivery } from './receipt.queries.ts';
import { getSend } from './send-list.queries.ts';
import type { SendRow } from './send.ts';

type Reader = Pick<OperationContext, 'userId' | 'organizationId' | 'rules' | 'can' | 'transaction'>;

/** The message that is shown; without an address it is rendered without a recipient. */
interface Shown {
  to: string | null;
  is_sent: boolean;
  variables: Record<string, unknown>;
}

/** Returns what is sent, as stored at confirmation. No transaction is open during rendering. @throws 404 */
export async function readReceipt(sendId: string, reader: Reader): Promise<SendReceipt> {
  const { content, shown, ...confirmed } = await reader.transaction(async (trx) => {
    const send = await getSend(trx, sendId);
    const stored = await getSendContent(trx, sendId);
    // The message contains fields of the contact, which all clients may share; a single message contains data that a program
    // supplied about one customer.
    const isShown = readsAllContacts(reader) && !takesSingleMessages(send);
    return {
      ...(await findConfirmation(trx, sendId)),
      confirmed_at: stored.confirmedAt,
      audience: stored.audienceName,
      topic: (await findTopicOf(trx, send.organization_id, stored.audience?.topicId))?.name ?? null,
      transports: stored.transports.map(({ id, name }) => (id === null ? null : name)),
      content: stored.content,
      shown: (isShown ? await findShown(trx, send, stored.audience) : undefined) ?? withoutRecipient,
    };
  });
  return {
    ...confirmed,
    from: { name: content.from_name, email: content.from_email },
    reply_to: content.reply_to,
    subject: content.subject,
    contact_fields: content.contact_fields,
    shown: await show(content, shown, reader),
  };
}

const withoutRecipient: Shown = { to: null, is_sent: false, variables: {} };

const readsAllContacts = ({ rules, can, organizationId }: Reader): boolean =>
  can('read', 'Content') && accessScopeOf(rules, 'read', 'Content', organizationId) === 'all';

/** Finds the first recipient who got the message; if nobody has yet, the next one who will. */
async function findShown(
  trx: Transaction,
  send: SendRow,
  audience: StoredAudience | null,
): Promise<Shown | undefined> {
  const first = await findFirstSent(trx, send.id);
  if (first !== undefined) return { ...first, is_sent: true };
  if (hasEnded(send)) return undefined;
  const next = await findNextDelivery(trx, send.id);
  if (next !== undefined) return { ...next, is_sent: false };
  return send.recipients_total_count === 0 && audience !== null
    ? await findFirstOfAudience(trx, send.organization_id, audience)
    : undefined;
}

/** Before the audience snapshot. Contacts in a remote content backend are read when the send starts. */
async function findFirstOfAudience(
  trx: Transaction,
  organizationId: string,
  stored: StoredAudience,
): Promise<Shown | undefined> {
  if ((stored.endpoint ?? null) !== null) return undefined;
  try {
    const audience = await restoreAudience(trx, organizationId, stored);
    const [contact] = await sampleAudience(trx, organizationId, audience, 1);
    return contact && { to: contact.email, is_sent: false, variables: contact.data };
  } catch (error) {
    // The send will fail and then shows the reason.
    if (error instanceof UnusableAudience) return undefined;
    throw error;
  }
}

async function show(
  snapshot: EmailSnapshot,
  { variables, ...recipient }: Shown,
  { organizationId, userId }: Reader,
): Promise<SendReceipt['shown']> {
  try {
    const task = { kind: 'sent', snapshot, contact: variables } as const;
    return { ...recipient, ...(await runTemplateTask<SentEmail>(task, organizationId, userId)) };
  } catch (error) {
    // The message could not be built either: the list of recipients shows the reason.
    if (error instanceof TemplateTaskError) return null;
    throw error;
  }
}
