import { canGrant } from '@reachout/contract/abilities.ts';
import { maxRecords } from '@reachout/contract/operation.ts';
import type { RolePermission } from '@reachout/contract/roles.ts';
import { apiError, invalidInput, tooManyRecords, orNotFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { lockOrganization } from '../organizations/organization.queries.ts';
import { exceedsOwnPermissions, effectiveRules, type Grantor } from './role-grant.ts';
import {
  anyClientId,
  conditionsHelp,
  isBuiltInRoleName,
  accessScopeOfPermission,
  toRolePermissions,
  roleKeyOf,
  toAbilityRules,
} from './role.ts';
import {
  countCustomRoles,
  deleteRole,
  findCustomRole,
  insertRole,
  isRoleInUse,
  isRoleNameTaken,
  listUnknownIds,
  replaceRules,
  updateRoleName,
  type CustomRole,
} from './role.queries.ts';

/**
 * @returns the new role's key
 * @throws 422 on `rules` or `rules.N.…`; 403 `beyond_own_rights`; 409 `name_taken`, `too_many_records`
 */
export async function createRole(
  trx: Transaction,
  grantor: Grantor,
  { name, rules }: { name: string; rules: RolePermission[] },
): Promise<string> {
  await checkPermissions(trx, grantor, rules);
  requireHeldPermissions(grantor, rules);
  const { organizationId: organization_id } = grantor;
  await lockOrganization(trx, organization_id);
  if ((await countCustomRoles(trx)) >= maxRecords) throw tooManyRecords(maxRecords);
  if (isBuiltInRoleName(name) || (await isRoleNameTaken(trx, name))) throw nameTaken();
  for (let attempt = 1; ; attempt += 1) {
    const role = roleKeyOf(name, attempt);
    if (isBuiltInRoleName(role) || !(await insertRole(trx, { organization_id, role, name }))) continue;
    await replaceRules(trx, { organization_id, role }, rules);
    return role;
  }
}

/**
 * The new rules apply to all members with the role from their next request on.
 * @returns the role before the change
 * @throws 404 for built-in roles, too; 422 on `rules.N.…`; 403 `beyond_own_rights`; 409 `name_taken`
 */
export async function updateRole(
  trx: Transaction,
  grantor: Grantor,
  { role, name, rules }: { role: string; name?: string | undefined; rules?: RolePermission[] | undefined },
): Promise<CustomRole> {
  const before = orNotFound(await findCustomRole(trx, role, 'update'));
  const { organizationId } = grantor;
  if (rules !== undefined) {
    await checkPermissions(trx, grantor, rules);
    requireHeldPermissions(
      grantor,
      toRolePermissions(effectiveRules(organizationId, role, before.rules, [anyClientId])),
    );
    requireHeldPermissions(grantor, rules);
    await replaceRules(trx, { organization_id: organizationId, role }, rules);
  }
  if (name !== undefined && name !== before.name) {
    if (isBuiltInRoleName(name) || !(await updateRoleName(trx, role, name))) throw nameTaken();
  }
  return before;
}

/** @throws 404 for built-in roles, too; 409 `role_in_use` */
export async function removeRole(trx: Transaction, role: string): Promise<CustomRole> {
  // A transaction that assigns the role locks it until it ends, so that the next statement sees the assignment.
  const before = orNotFound(await findCustomRole(trx, role, 'update'));
  if (await isRoleInUse(trx, role)) throw apiError('role_in_use');
  await deleteRole(trx, role);
  return before;
}

const maxNamedIds = 500;
/** Maximum size of all rules of a role as JSON: every request of a member reads them. */
const maxPermissionBytes = 65_536;

async function checkPermissions(
  trx: Transaction,
  grantor: Grantor,
  rules: readonly RolePermission[],
): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(rules)) > maxPermissionBytes)
    throw invalidInput('rules', 'All rules of a role together may have 64 kB.');
  const named = rules.map((rule, index) => {
    const accessScope = accessScopeOfPermission(rule, grantor.organizationId);
    if (accessScope === undefined) throw invalidInput(`rules.${index}.conditions`, conditionsHelp);
    return accessScope === 'all' ? { client_ids: [], brand_ids: [] } : accessScope;
  });
  // Roles are listed without pages, including everything that their rules name.
  if (named.flatMap(({ client_ids, brand_ids }) => [...client_ids, ...brand_ids]).length > maxNamedIds)
    throw invalidInput('rules', `Name at most ${maxNamedIds} clients and brands.`);
  const unknown = await listUnknownIds(trx, {
    client_ids: named.flatMap(({ client_ids }) => client_ids).filter((id) => id !== anyClientId),
    brand_ids: named.flatMap(({ brand_ids }) => brand_ids),
  });
  const index = named.findIndex(({ client_ids, brand_ids }) =>
    [...client_ids, ...brand_ids].some((id) => unknown.includes(id)),
  );
  if (index >= 0)
    throw invalidInput(`rules.${index}.conditions`, 'Choose clients and brands of this organization.');
}

/** A role cannot be written, widened or narrowed beyond the grantor's own permissions. */
function requireHeldPermissions(
  { rules: own, organizationId }: Grantor,
  rules: readonly RolePermission[],
): void {
  const filled = effectiveRules(organizationId, '', toAbilityRules(rules), [anyClientId]);
  if (!canGrant(own, filled, organizationId)) throw exceedsOwnPermissions();
}

const nameTaken = () => apiError('name_taken');
