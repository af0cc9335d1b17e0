import { mayGrant } from '@reachout/contract/abilities.ts';
import { maxRecords } from '@reachout/contract/operation.ts';
import type { RoleRule } from '@reachout/contract/members.ts';
import { apiError, invalidInput, notFound, tooManyRecords } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { lockOrganization } from '../organizations/organization.queries.ts';
import { beyondOwnRights, effectiveRules, type Giver } from './role-grant.ts';
import {
  anyClientId,
  conditionsHelp,
  isBuiltInName,
  limitsOf,
  listRules,
  roleKeyOf,
  toAbilityRules,
} from './role.ts';
import {
  countOwnRoles,
  deleteRole,
  findOwnRole,
  insertRole,
  isRoleInUse,
  isRoleNameTaken,
  listUnknownIds,
  replaceRules,
  updateRoleName,
  type OwnRole,
} from './role.queries.ts';

/**
 * @returns the new role's key
 * @throws 422 on `rules` or `rules.N.…`; 403 `beyond_own_rights`; 409 `name_taken`, `too_many_records`
 */
export async function createRole(
  trx: Transaction,
  giver: Giver,
  { name, rules }: { name: string; rules: RoleRule[] },
): Promise<string> {
  await checkRules(trx, giver, rules);
  requireHeld(giver, rules);
  const { organizationId: organization_id } = giver;
  await lockOrganization(trx, organization_id);
  if ((await countOwnRoles(trx)) >= maxRecords) throw tooManyRecords(maxRecords);
  if (isBuiltInName(name) || (await isRoleNameTaken(trx, name))) throw nameTaken();
  for (let attempt = 1; ; attempt += 1) {
    const role = roleKeyOf(name, attempt);
    if (isBuiltInName(role) || !(await insertRole(trx, { organization_id, role, name }))) continue;
    await replaceRules(trx, { organization_id, role }, rules);
    return role;
  }
}

/**
 * Whoever has the role has the new rules from the next request on.
 * @returns the role as it was
 * @throws 404 for built-in roles, too; 422 on `rules.N.…`; 403 `beyond_own_rights`; 409 `name_taken`
 */
export async function updateRole(
  trx: Transaction,
  giver: Giver,
  { role, name, rules }: { role: string; name?: string | undefined; rules?: RoleRule[] | undefined },
): Promise<OwnRole> {
  const before = await findOwnRole(trx, role, 'update');
  if (before === undefined) throw notFound();
  const { organizationId } = giver;
  if (rules !== undefined) {
    await checkRules(trx, giver, rules);
    requireHeld(giver, listRules(effectiveRules(organizationId, role, before.rules, [anyClientId])));
    requireHeld(giver, rules);
    await replaceRules(trx, { organization_id: organizationId, role }, rules);
  }
  if (name !== undefined && name !== before.name) {
    if (isBuiltInName(name) || !(await updateRoleName(trx, role, name))) throw nameTaken();
  }
  return before;
}

/** @throws 404 for built-in roles, too; 409 `role_in_use` */
export async function removeRole(trx: Transaction, role: string): Promise<OwnRole> {
  // Whoever is giving the role to somebody holds it until that is done, and is seen by the next statement.
  const before = await findOwnRole(trx, role, 'update');
  if (before === undefined) throw notFound();
  if (await isRoleInUse(trx, role))
    throw apiError(409, 'role_in_use', 'Members or invitations still have this role.');
  await deleteRole(trx, role);
  return before;
}

const mostNamedIds = 500;
/** Of all rules of a role as JSON: every request of a member reads them. */
const mostRuleBytes = 65_536;

async function checkRules(trx: Transaction, giver: Giver, rules: readonly RoleRule[]): Promise<void> {
  // Without rules a role would be read-only, which is not what an empty list says.
  if (rules.length === 0) throw invalidInput('rules', 'Say what this role may do.');
  if (Buffer.byteLength(JSON.stringify(rules)) > mostRuleBytes)
    throw invalidInput('rules', 'All rules of a role together may have 64 kB.');
  const named = rules.map((rule, index) => {
    const limits = limitsOf(rule, giver.organizationId);
    if (limits === undefined) throw invalidInput(`rules.${index}.conditions`, conditionsHelp);
    return limits === 'all' ? { client_ids: [], brand_ids: [] } : limits;
  });
  // Roles are shown all at once, with whatever their rules name.
  if (named.flatMap(({ client_ids, brand_ids }) => [...client_ids, ...brand_ids]).length > mostNamedIds)
    throw invalidInput('rules', `Name at most ${mostNamedIds} clients and brands.`);
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

/** Nobody writes, widens or narrows a role beyond their own rights. */
function requireHeld({ rules: own, organizationId }: Giver, rules: readonly RoleRule[]): void {
  const filled = effectiveRules(organizationId, '', toAbilityRules(rules), [anyClientId]);
  if (!mayGrant(own, filled, organizationId)) throw beyondOwnRights();
}

const nameTaken = () => apiError(409, 'name_taken', 'Another role has this name already.');
