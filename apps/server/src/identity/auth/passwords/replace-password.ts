import type { Transaction } from '../../../platform/database/database.ts';
import { enqueueAccountEmail } from '../../account-email/enqueue-account-email.ts';
import type { EmailLanguage } from '../../account-email/account-email.ts';
import { upsertPassword, type Credentials } from '../users/credentials.queries.ts';
import { linkExpired } from '../one-time-tokens/link-expired.ts';
import { noticeForMs } from '../one-time-tokens/one-time-token.ts';
import { revokeTokens } from '../one-time-tokens/one-time-tokens.queries.ts';
import { deleteSessions } from '../sessions/sessions.queries.ts';

/**
 * Sets a password, ends the other sessions, revokes pending links and codes, including a change of address, and
 * notifies the user.
 * @param change.keptSessionId  the session that makes the change; none after a reset
 * @param change.linkId  the reset link, which works once
 * @returns the number of ended sessions
 * @throws 410 `link_expired`
 */
export async function replacePassword(
  trx: Transaction,
  user: Pick<Credentials, 'id' | 'email'>,
  change: { hash: string; language: EmailLanguage; keptSessionId?: string; linkId?: string },
): Promise<number> {
  const revoked = await revokeTokens(
    trx,
    ['reset_password', 'sign_in_code', 'change_email', 'second_factor'],
    {
      emails: [user.email],
      userId: user.id,
    },
  );
  if (change.linkId !== undefined && !revoked.includes(change.linkId)) throw linkExpired();
  await upsertPassword(trx, user.id, change.hash);
  const ended = await deleteSessions(trx, user.id, change.keptSessionId);
  await enqueueAccountEmail(trx, {
    kind: 'password_changed',
    recipient: user.email,
    language: change.language,
    payload: { user_id: user.id, was_reset: change.linkId !== undefined },
    validForMs: noticeForMs,
  });
  return ended;
}
