import { createMessage } from '../../delivery/messages/create-message.ts';
import { proposeSend, startSend } from '../../delivery/sends/start-send.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { PlacedEmail } from './compile-emails.ts';
import type { Place } from './make-records.ts';
import type { Person } from './people.ts';

/** Requested messages. */
const orders = 5;

/** Switches an email on for single messages, as a member does, and requests some, as a program does. */
export async function sendOnRequest(
  trx: Transaction,
  { userId, setup, log }: Place,
  { touchpointId, brand, isReaction }: PlacedEmail,
  people: readonly Person[],
): Promise<void> {
  const proposal = await proposeSend(
    { userId, transaction: (work) => work(trx) },
    touchpointId,
    'triggered',
    setup,
  );
  const { policies, content } = setup;
  await startSend(trx, proposal, {
    kind: 'triggered',
    start: 'immediately',
    userId,
    uncertainPolicy: undefined,
    expectedRecipients: undefined,
    expectedFilterId: undefined,
    sendsSampleContent: true,
    policies,
  });
  if (isReaction === true) return;
  const customers = people.filter(({ brands, isDead }) => brands.has(brand) && !isDead).slice(-orders);
  for (const { data } of customers)
    await createMessage(trx, {
      touchpointId,
      to: data.email,
      data: { ...data },
      isUnsubscribed: false,
      policies,
      log,
      secrets: content.secrets,
    });
}
