import { inTransaction, operations, type OperationContext } from '../access/operations.ts';
import { changeMember, leaveOrganization, removeMember } from './member-changes.ts';
import { getMember, listMembers } from '../memberships/member.queries.ts';
import { readableClients } from '../roles/role-grant.ts';

export const memberRoutes = {
  list: inTransaction(operations.members.list, (trx, input, context) =>
    listMembers(trx, input, readableClients(context)),
  ),
  update: inTransaction(operations.members.update, async (trx, input, context) => {
    const { full_name, role } = await changeMember(trx, context, input);
    const member = await getMember(trx, input.user_id, readableClients(context));
    auditMember(context, input.user_id, full_name, {
      ...(role.from === role.to ? {} : { role }),
      ...(input.client_ids === undefined ? {} : { clients: member.clients.map(({ name }) => name) }),
    });
    return member;
  }),
  remove: inTransaction(operations.members.remove, async (trx, input, context) => {
    const { full_name, role } = await removeMember(trx, context, input.user_id);
    auditMember(context, input.user_id, full_name, { role });
    return { user_id: input.user_id };
  }),
  leave: inTransaction(operations.members.leave, async (trx, input, context) => {
    const { full_name, role } = await leaveOrganization(trx, context.userId);
    auditMember(context, context.userId, full_name, { role });
    return { id: input.id };
  }),
};

const auditMember = (
  context: OperationContext,
  userId: string,
  record_name: string,
  details: Record<string, unknown>,
) => context.note({ record_type: 'members', record_id: userId, record_name, details });
