import { builtInRules, canGrant, roles, type AbilityRule } from '@reachout/contract/abilities.ts';
import type { RoleDetails, RolePermission } from '@reachout/contract/roles.ts';
import { inTransaction, operations } from '../access/operations.ts';
import { orNotFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { createRole, removeRole, updateRole } from './role-changes.ts';
import {
  effectiveRules,
  readableClients,
  requireStillAllowed,
  type ActingMember,
  type Grantor,
} from './role-grant.ts';
import { countMembersByRole, findCustomRole, listCustomRoles, type CustomRole } from './role.queries.ts';
import { anyClientId, describePermission, toRolePermissions } from './role.ts';

const builtInNames = {
  owner: 'Owner',
  admin: 'Admin',
  editor: 'Editor',
  analyst: 'Analyst',
  guest: 'Guest',
} as const satisfies Record<(typeof roles)[number], string>;

export const roleRoutes = {
  list: inTransaction(operations.organizationRoles.list, async (trx, _input, context) => {
    const items = await listRoles(trx, context);
    return { items, count: items.length };
  }),
  create: inTransaction(operations.organizationRoles.create, async (trx, input, context) => {
    const role = await createRole(trx, await stillAllowed(trx, context), input);
    context.note({ record_id: role, details: { rules: input.rules.map(describePermission) } });
    return await getCustomRole(trx, context, role);
  }),
  update: inTransaction(operations.organizationRoles.update, async (trx, input, context) => {
    const before = await updateRole(trx, await stillAllowed(trx, context), input);
    context.note({
      record_id: input.role,
      details: describeChange(toRolePermissions(before.rules), input.rules),
    });
    return await getCustomRole(trx, context, input.role);
  }),
  delete: inTransaction(operations.organizationRoles.delete, async (trx, input, context) => {
    await stillAllowed(trx, context);
    const { name } = await removeRole(trx, input.role);
    context.note({ record_id: input.role, record_name: name, details: {} });
    return { role: input.role };
  }),
};

const stillAllowed = (trx: Transaction, acting: ActingMember) =>
  requireStillAllowed(trx, acting, ['update', 'Member']);

/** Built-in roles first, from the strongest on, then custom roles by name. */
async function listRoles(trx: Transaction, grantor: Grantor): Promise<RoleDetails[]> {
  const members = await countMembersByRole(trx);
  const own = await listCustomRoles(trx);
  return [
    ...roles.map((role) => ({ role, name: builtInNames[role], rules: builtInRules[role], built_in: true })),
    ...own.map((role) => ({ ...role, built_in: false })),
  ].map((role) => toDetails(grantor, role, members));
}

/** A custom role of the organization. @throws 404 */
async function getCustomRole(trx: Transaction, grantor: Grantor, role: string): Promise<RoleDetails> {
  const found = orNotFound(await findCustomRole(trx, role));
  return toDetails(grantor, { ...found, built_in: false }, await countMembersByRole(trx, role));
}

const toDetails = (
  grantor: Grantor,
  { role, name, built_in, rules }: CustomRole & { built_in: boolean },
  members: ReadonlyMap<string, number>,
): RoleDetails => ({
  role,
  name,
  built_in,
  grantable: isGrantable(grantor, role, rules),
  rules: toRolePermissions(rules),
  member_count: members.get(role) ?? 0,
});

/** Assumes the clients that the grantor sees; the final decision depends on the chosen clients (`requireGrantable`). */
function isGrantable(grantor: Grantor, role: string, rules: readonly AbilityRule[]): boolean {
  const clients = readableClients(grantor);
  const clientIds = typeof clients === 'object' ? clients.client_ids : [anyClientId];
  return canGrant(
    grantor.rules,
    effectiveRules(grantor.organizationId, role, rules, clientIds),
    grantor.organizationId,
  );
}

function describeChange(before: readonly RolePermission[], after: readonly RolePermission[] | undefined) {
  if (after === undefined) return { fields: ['name'] };
  const [old, now] = [before.map(describePermission), after.map(describePermission)];
  return {
    added: now.filter((rule) => !old.includes(rule)),
    removed: old.filter((rule) => !now.includes(rule)),
  };
}
