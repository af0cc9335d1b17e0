import type { OrganizationStatus, UserStatus } from '@reachout/contract/statuses.ts';
import { type Database, transactionAs } from '../../platform/database/database.ts';
import { apiError, invalidInput } from '../../platform/http/api-error.ts';
import { writeAuditEntry } from '../access/audit.ts';
import { type OperationContext, operations } from '../access/operations.ts';
import { enqueueAccountEmail } from '../account-email/enqueue-account-email.ts';
import { languageOf } from '../auth/emails/email-language.ts';
import { deleteSessions } from '../auth/sessions/sessions.queries.ts';
import { listUsers, lockUserStatus, updateUser } from '../auth/users/user.queries.ts';
import { notifyOwners } from '../memberships/notify-owners.ts';
import { lockOrganizationStatus, updateOrganization } from '../organizations/organization.queries.ts';
import { listOrganizations, listOrganizationsOf } from './operator.queries.ts';
import { requireOperator } from './operators.ts';

interface OperatorRoutesDeps {
  db: Database;
  authDb: Database;
  config: { operators: readonly string[] };
}

/** Organizations and users of the installation, for operators. */
export const createOperatorRoutes = ({ db, authDb, config: { operators } }: OperatorRoutesDeps) => ({
  organizations: operations.operator.organizations.handler(async ({ input, context }) => {
    await requireOperator(context, operators);
    return await transactionAs(authDb, {}, (trx) => listOrganizations(trx, input));
  }),

  setOrganizationStatus: operations.operator.setOrganizationStatus.handler(async ({ input, context }) => {
    await requireOperator(context, operators);
    await setOrganizationStatus(db, context, input);
    return { id: input.id };
  }),

  users: operations.operator.users.handler(async ({ input, context }) => {
    await requireOperator(context, operators);
    return await transactionAs(authDb, {}, (trx) => listUsers(trx, input));
  }),

  setUserStatus: operations.operator.setUserStatus.handler(async ({ input, context }) => {
    await requireOperator(context, operators);
    await setUserStatus({ db, authDb }, context, input);
    return { id: input.id };
  }),
});

/** Tells the owners if the status is another one; a new reason alone is only logged. @throws 404; 422 without a reason */
async function setOrganizationStatus(
  db: Database,
  { userId, origin }: OperationContext,
  input: StatusInput<OrganizationStatus>,
): Promise<void> {
  const { id, status } = input;
  const status_reason = readReason(input);
  await transactionAs(db, { userId, organizationId: id }, async (trx) => {
    const organization = await lockOrganizationStatus(trx, id);
    if (organization.status === status && organization.status_reason === status_reason) return;
    await updateOrganization(trx, id, { status, status_reason });
    await writeAuditEntry(trx, { userId, organizationId: id, origin }, 'operator.setOrganizationStatus', {
      record_type: 'organizations',
      record_id: id,
      record_name: organization.name,
      details: { from: organization.status, to: status },
    });
    if (organization.status !== status)
      await notifyOwners(trx, {
        kind: 'organization_status',
        payload: { organization: organization.name, status, reason: status_reason },
        validForMs,
      });
  });
}

/** Tells the user if the status is another one; a new reason alone is only logged. @throws 404; 409 `own_account`; 422 without a reason */
async function setUserStatus(
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

interface StatusInput<Status extends string> {
  id: string;
  status: Status;
  reason?: string | undefined;
}

/** How long emails about a status are tried. */
const validForMs = 7 * 86_400_000;

/** @returns null for an active record. @throws 422 without a reason for those concerned */
function readReason({ status, reason = '' }: StatusInput<string>): string | null {
  if (status === 'active') return null;
  if (reason === '') throw invalidInput('reason', 'Give a reason. Those concerned get it by email.');
  return reason;
}
