import type { OrganizationStatus } from '@reachout/contract/statuses.ts';
import { operations, type OperationContext } from '../access/operations.ts';
import { transactionAs, type Database, type Transaction } from '../../platform/database/database.ts';
import { apiError, invalidInput, notFound } from '../../platform/http/api-error.ts';
import { writeAuditEntry } from '../access/audit.ts';
import { enqueueAccountEmail } from '../account-email/enqueue-account-email.ts';
import { languageOf } from '../auth/emails/email-language.ts';
import { deleteSessions } from '../auth/sessions/sessions.queries.ts';
import { findCredentials, lockUser } from '../auth/users/credentials.queries.ts';
import { listUsers, updateUser } from '../auth/users/user.queries.ts';
import { notifyOwners } from '../memberships/notify-owners.ts';
import { lockOrganizationStatus, updateOrganization } from '../organizations/organization.queries.ts';
import { listOrganizations, listOrganizationsOf } from './operator.queries.ts';
import { requireOperator } from './operators.ts';

interface OperatorRoutesDeps {
  db: Database;
  authDb: Database;
  config: { operators: readonly string[] };
}

const dayMs = 86_400_000;

/** Organizations and users of the installation, for operators. */
export const createOperatorRoutes = ({ db, authDb, config: { operators } }: OperatorRoutesDeps) => ({
  organizations: operations.operator.organizations.handler(async ({ input, context }) => {
    await requireOperator(context, operators);
    return await transactionAs(authDb, {}, (trx) => listOrganizations(trx, input));
  }),

  setOrganizationStatus: operations.operator.setOrganizationStatus.handler(async ({ input, context }) => {
    await requireOperator(context, operators);
    const { id, status } = input;
    const status_reason = readReason(input);
    await transactionAs(db, { userId: context.userId, organizationId: id }, async (trx) => {
      const organization = await lockOrganizationStatus(trx, id);
      if (organization.status === status && organization.status_reason === status_reason) return;
      await updateOrganization(trx, id, { status, status_reason });
      await note(trx, context, id, 'operator.setOrganizationStatus', {
        record_type: 'organizations',
        record_id: id,
        record_name: organization.name,
        details: { from: organization.status, to: status },
      });
      if (organization.status !== status)
        await notifyOwners(trx, {
          kind: 'organization_status',
          payload: { organization: organization.name, status, reason: status_reason },
          validForMs: 7 * dayMs,
        });
    });
    return { id };
  }),

  users: operations.operator.users.handler(async ({ input, context }) => {
    await requireOperator(context, operators);
    return await transactionAs(authDb, {}, (trx) => listUsers(trx, input));
  }),

  setUserStatus: operations.operator.setUserStatus.handler(async ({ input, context }) => {
    await requireOperator(context, operators);
    const { id, status } = input;
    const status_reason = readReason(input);
    if (id === context.userId) throw apiError('own_account');
    const change = await transactionAs(authDb, {}, async (trx) => {
      if (!(await lockUser(trx, id))) throw notFound();
      const user = (await findCredentials(trx, id))!;
      await updateUser(trx, id, { status, status_reason });
      if (user.status === status) return undefined;
      if (status === 'suspended') await deleteSessions(trx, id);
      await enqueueAccountEmail(trx, {
        kind: 'account_status',
        recipient: user.email,
        language: languageOf(user.language),
        payload: { user_id: id, status, reason: status_reason },
        validForMs: 7 * dayMs,
      });
      return { user, organizations: await listOrganizationsOf(trx, id) };
    });
    // Each organization has a log of its own, which only its own transactions can write.
    for (const organizationId of change?.organizations ?? [])
      await transactionAs(db, { userId: context.userId, organizationId }, (trx) =>
        note(trx, context, organizationId, 'operator.setUserStatus', {
          record_type: 'users',
          record_id: id,
          record_name: change!.user.full_name,
          details: { from: change!.user.status, to: status },
        }),
      );
    return { id };
  }),
});

/** @throws 422 without a reason for those concerned */
function readReason({ status, reason = '' }: { status: OrganizationStatus; reason?: string | undefined }) {
  if (status === 'active') return null;
  if (reason === '') throw invalidInput('reason', 'Give a reason. Those concerned get it by email.');
  return reason;
}

const note = (
  trx: Transaction,
  { userId, origin }: OperationContext,
  organizationId: string,
  action: string,
  entry: Parameters<typeof writeAuditEntry>[3],
) => writeAuditEntry(trx, { userId, organizationId, origin }, action, entry);
