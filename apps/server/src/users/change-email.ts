import { transactionAs } from '../platform/database/database.ts';
import { enqueueSystemMail } from '../system-mail/enqueue-system-mail.ts';
import { findCredentials, updateEmail } from './credentials.queries.ts';
import { linkExpired } from './link-expired.ts';
import { noticeForMs } from './one-time-token.ts';
import { findTokenBySecret, voidTokens } from './one-time-tokens.queries.ts';
import { deleteSessions } from './sessions.queries.ts';
import type { Browser, SignInDeps } from './sign-in-deps.ts';

/**
 * Moves an account to the address that its person has just shown to read (AUTH-8). The old address is told, and the
 * sessions in other browsers end.
 * @returns the new address
 * @throws 410 `link_expired`, also when the address has become another account's
 */
export async function confirmEmail(
  { db, auth, secrets }: SignInDeps,
  token: string,
  { headers, language }: Browser,
): Promise<string> {
  const caller = await auth.findCaller(headers);
  return await transactionAs(db, {}, async (trx) => {
    const link = await findTokenBySecret(trx, 'change_email', secrets.hashes('change_email', token));
    if (link === undefined || link.user_id === null) throw linkExpired();
    const { id, email, user_id: userId } = link;
    const user = await findCredentials(trx, userId);
    if (user === undefined) throw linkExpired();
    const voided = await voidTokens(trx, ['reset_password', 'sign_in_code', 'change_email', 'sign_up'], {
      emails: [user.email, email],
      userId,
    });
    if (!voided.includes(id) || !(await updateEmail(trx, userId, email))) throw linkExpired();
    await deleteSessions(trx, userId, caller?.userId === userId ? caller.session?.id : undefined);
    await enqueueSystemMail(trx, {
      kind: 'email_changed',
      recipient: user.email,
      language,
      payload: { user_id: userId },
      validForMs: noticeForMs,
    });
    return email;
  });
}
