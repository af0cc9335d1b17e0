import type { UserStatus } from '@reachout/contract/statuses.ts';
import { writeAuditEntry } from '../access/audit.ts';
import type { OperationContext } from '../access/operations.ts';
import { enqueueAccountEmail } from '../account-email/enqueue-account-email.ts';
import { languageOf } from '../auth/emails/email-language.ts';
import { deleteSessions } from '../auth/sessions/sessions.queries.ts';
import { lockUserStatus, updateUser } from '../auth/users/user.queries.ts';
import { transactionAs, type Database } from '../../platform/database/database.ts';
import { apiError } from '../../platform/http/api-error.ts';
import { listOrganizationsOf } from './operator.queries.ts';
import { readReason, validForMs, type StatusInput } from './status-reason.ts';

/** Tells the user if the status is another one; a new reason alone is only logged. @throws 404; 409 `own_account`; 422 without a reason */
export async function setUserStatus(
  { db, authDb }: { db: Database; authDb: Database },
  { userId, origin }: OperationContext,
  input: StatusInput<UserStatus>,
): Promise<void> {
  const { id, status } = input;
  const status_reason = readReason(input);
  if (id === userId) throw apiError('own_account');
  await transactionAs(authDb, {}, async (trx) => {
    const user = await lockUserStatus(trx, id);
    if (user.status === status && user.status_reason === status_reason) return;
    await updateUser(trx, id, { status, status_reason });
    // Each organization has a log of its own, which only its own transactions can write. They commit before the change does, so
    // that a change without entries is impossible.
    for (const organizationId of await listOrganizationsOf(trx, id))
      await transactionAs(db, { userId, organizationId }, (own) =>
        writeAuditEntry(own, { userId, organizationId, origin }, 'operator.setUserStatus', {
          record_type: 'users',
          record_id: id,
          record_name: user.full_name,
          details: { from: user.status, to: status },
        }),
      );
    if (user.status === status) return;
    if (status === 'suspended') await deleteSessions(trx, id);
    await enqueueAccountEmail(trx, {
      kind: 'account_status',
      recipient: user.email,
      language: languageOf(user.language),
      payload: { user_id: id, status, reason: status_reason },
      validForMs,
    });
  });
}
