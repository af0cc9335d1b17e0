import type { Transaction } from '../../platform/database/database.ts';
import { enqueueAccountEmail } from '../account-email/enqueue-account-email.ts';
import type { AccountEmailKind } from '../account-email/account-email.ts';
import { languageOf } from '../auth/emails/email-language.ts';
import { listOwners } from './member.queries.ts';

/**
 * Queues an email to each owner of the transaction's organization, once it has committed.
 * @param notice.payload  of each email, in addition to the owner as `user_id`
 */
export async function notifyOwners(
  trx: Transaction,
  {
    kind,
    payload,
    validForMs,
  }: { kind: AccountEmailKind; payload: Record<string, unknown>; validForMs: number },
): Promise<void> {
  for (const { user_id, email, language } of await listOwners(trx))
    await enqueueAccountEmail(trx, {
      kind,
      recipient: email,
      language: languageOf(language),
      payload: { ...payload, user_id },
      validForMs,
    });
}
