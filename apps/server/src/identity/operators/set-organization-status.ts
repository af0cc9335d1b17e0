import type { OrganizationStatus } from '@reachout/contract/statuses.ts';
import { writeAuditEntry } from '../access/audit.ts';
import type { OperationContext } from '../access/operations.ts';
import { transactionAs, type Database } from '../../platform/database/database.ts';
import { notifyOwners } from '../memberships/notify-owners.ts';
import { lockOrganizationStatus, updateOrganization } from '../organizations/organization.queries.ts';
import { readReason, validForMs, type StatusInput } from './status-reason.ts';

/** Tells the owners if the status is another one; a new reason alone is only logged. @throws 404; 422 without a reason */
export async function setOrganizationStatus(
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
