import type { Transaction } from '../../../platform/database/database.ts';
import type { EmailLanguage } from '../../account-email/account-email.ts';
import { enqueueAccountEmail } from '../../account-email/enqueue-account-email.ts';
import { noticeForMs } from '../one-time-tokens/one-time-token.ts';
import type { Credentials } from '../users/credentials.queries.ts';

/** Changes that the user is notified of; each has a text in account-email-texts.ts. */
export const factorChanges = [
  'totp_added',
  'totp_removed',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_renewed',
  'recovery_code_used',
] as const;
export type FactorChange = (typeof factorChanges)[number];

export async function enqueueFactorNotice(
  trx: Transaction,
  user: Pick<Credentials, 'id' | 'email'>,
  change: FactorChange,
  language: EmailLanguage,
): Promise<void> {
  await enqueueAccountEmail(trx, {
    kind: 'second_factor_changed',
    recipient: user.email,
    language,
    payload: { user_id: user.id, change },
    validForMs: noticeForMs,
  });
}
