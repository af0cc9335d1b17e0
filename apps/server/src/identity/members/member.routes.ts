import type { Transaction } from '../../platform/database/database.ts';
import { apiError } from '../../platform/http/api-error.ts';
import { inTransactions, type OperationContext, operations } from '../access/operations.ts';
import { revokeKeys } from '../api-keys/api-key.queries.ts';
import { deleteLinkOf, excludeFromLink } from '../invitations/invitation-link.queries.ts';
import { cancelInvitations } from '../invitations/invitation.queries.ts';
import {
  deleteMember,
  getMember,
  listMembers,
  lockActiveOwners,
  lockMember,
  lockMembers,
  replaceMemberClients,
  updateMemberRole,
} from '../memberships/member.queries.ts';
import {
  type ActingMember,
  readableClients,
  requireClientsOf,
  requireGrantable,
  requireStillAllowed,
  requireVisibleClients,
  requireWithinOwnPermissions,
} from '../roles/role-grant.ts';

export const memberRoutes = inTransactions(operations.members, {
  list: (trx, input, context) => listMembers(trx, input, readableClients(context)),
  update: async (trx, input, context) => {
    const { full_name, role } = await changeMember(trx, context, input);
    const member = await getMember(trx, input.user_id, readableClients(context));
    auditMember(context, input.user_id, full_name, {
      ...(role.from === role.to ? {} : { role }),
      ...(input.client_ids === undefined ? {} : { clients: member.clients.map(({ name }) => name) }),
    });
    return member;
  },
  remove: async (trx, input, context) => {
    const { full_name, role } = await removeMember(trx, context, input.user_id);
    auditMember(context, input.user_id, full_name, { role });
    return { user_id: input.user_id };
  },
  leave: async (trx, input, context) => {
    const { full_name, role } = await leaveOrganization(trx, context.userId);
    auditMember(context, context.userId, full_name, { role });
    return { id: input.id };
  },
});

const auditMember = (
  context: OperationContext,
  userId: string,
  record_name: string,
  details: Record<string, unknown>,
) => context.note({ record_type: 'members', record_id: userId, record_name, details });

/**
 * Sets a member's role, and the clients that the member is limited to.
 * @throws 422 on `role` or `client_ids`; 403 `beyond_own_rights`; 409 `last_owner`, `not_a_member`
 */
export async function changeMember(
  trx: Transaction,
  acting: ActingMember,
  input: { user_id: string; role: string; client_ids?: string[] | undefined },
): Promise<{ full_name: string; role: { from: string; to: string } }> {
  const owners = await lockActiveOwners(trx);
  const locked = await lockMembers(trx, [acting.userId, input.user_id]);
  const grantor = await requireStillAllowed(trx, acting, ['update', 'Member']);
  if (!locked.includes(input.user_id.toLowerCase())) throw apiError('not_a_member');
  const member = await lockMember(trx, input.user_id);
  const { role } = input;
  const clientIds = input.client_ids ?? member.client_ids;
  await requireWithinOwnPermissions(trx, grantor, member);
  if (input.client_ids !== undefined) await requireVisibleClients(trx, grantor, input.client_ids);
  await requireGrantable(trx, grantor, role, clientIds);
  // Clients can be removed from a member who has the role already.
  if (role !== member.role) await requireClientsOf(trx, role, clientIds);
  if (role !== 'owner') denyLastOwner(owners, member);

  if (role !== member.role) await updateMemberRole(trx, member.user_id, role);
  if (input.client_ids !== undefined)
    await replaceMemberClients(
      trx,
      { organization_id: grantor.organizationId, user_id: member.user_id },
      clientIds,
    );
  return { full_name: member.full_name, role: { from: member.role, to: role } };
}

/**
 * Removes a member from the organization. The member's API keys, sent invitations and pending ways to join again stop
 * working.
 * @throws 404; 403 `beyond_own_rights`; 409 `last_owner`
 */
export async function removeMember(
  trx: Transaction,
  acting: ActingMember,
  userId: string,
): Promise<{ full_name: string; role: string }> {
  const owners = await lockActiveOwners(trx);
  await lockMembers(trx, [acting.userId, userId]);
  const grantor = await requireStillAllowed(trx, acting, ['delete', 'Member']);
  const member = await lockMember(trx, userId);
  await requireWithinOwnPermissions(trx, grantor, member);
  denyLastOwner(owners, member);
  await endMembership(trx, member);
  await excludeFromLink(trx, userId);
  return member;
}

/** Ends the acting user's own membership. @throws 404; 409 `last_owner` */
export async function leaveOrganization(
  trx: Transaction,
  userId: string,
): Promise<{ full_name: string; role: string }> {
  const owners = await lockActiveOwners(trx);
  const member = await lockMember(trx, userId);
  denyLastOwner(owners, member);
  await endMembership(trx, member);
  return member;
}

async function endMembership(trx: Transaction, member: { user_id: string; email: string }): Promise<void> {
  await deleteMember(trx, member.user_id);
  await revokeKeys(trx, 'user_id', member.user_id);
  await cancelInvitations(trx, { invitedBy: member.user_id, email: member.email.toLowerCase() });
  await deleteLinkOf(trx, member.user_id);
}

/** @param owners  active owners, who can sign in */
function denyLastOwner(owners: readonly string[], member: { user_id: string; role: string }): void {
  if (member.role !== 'owner' || owners.some((id) => id !== member.user_id)) return;
  throw apiError('last_owner');
}
