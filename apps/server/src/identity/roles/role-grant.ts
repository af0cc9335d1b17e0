import {
  fillRules,
  isBuiltInRole,
  canGrant,
  accessScopeOf,
  rulesFor,
  usesMemberClients,
  type AbilityRule,
} from '@reachout/contract/abilities.ts';
import type { AccessScope } from '@reachout/contract/access-scope.ts';
import type { Permission } from '@reachout/contract/operation.ts';
import { apiError, forbidden, invalidInput, notFound, orNotFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { countVisibleClients } from '../memberships/member-clients.queries.ts';
import { lockSponsor } from '../memberships/member.queries.ts';
import { findCustomRole, listCustomRoles } from './role.queries.ts';

/** A user who grants or revokes permissions: the caller, or the sender of an invitation that is being accepted. */
export interface Grantor {
  organizationId: string;
  /** With their placeholders filled. */
  rules: readonly AbilityRule[];
}

/** A grantor who acts as a member of the organization now. */
export interface ActingMember extends Grantor {
  userId: string;
}

export const exceedsOwnPermissions = () => apiError('beyond_own_rights');

/** A member or an invited user. */
interface Holder {
  role: string;
  client_ids: readonly string[];
}

export const readableClients = ({ rules, organizationId }: Grantor): AccessScope =>
  accessScopeOf(rules, 'read', 'Client', organizationId);

/**
 * @returns the rules of a role for a member who is limited to these clients; a custom role without rules is read-only
 */
export const effectiveRules = (
  organizationId: string,
  role: string,
  customRole: readonly AbilityRule[] | undefined,
  clientIds: readonly string[],
): AbilityRule[] =>
  fillRules(rulesFor(role, customRole === undefined || customRole.length === 0 ? null : [...customRole]), {
    organization_id: organizationId,
    client_ids: clientIds,
  });

/**
 * Like `effectiveRules`, for a role of the organization, which is locked until the transaction ends.
 * @returns undefined if there is no such role
 */
export async function lockRoleRules(
  trx: Transaction,
  organizationId: string,
  role: string,
  clientIds: readonly string[],
): Promise<AbilityRule[] | undefined> {
  if (isBuiltInRole(role)) return effectiveRules(organizationId, role, undefined, clientIds);
  const customRole = await findCustomRole(trx, role, 'share');
  return customRole && effectiveRules(organizationId, role, customRole.rules, clientIds);
}

/**
 * Checks that the grantor may assign this role to a member who is limited to these clients.
 * @throws 422 on `role`; 403 `beyond_own_rights`
 */
export async function requireGrantable(
  trx: Transaction,
  grantor: Grantor,
  role: string,
  clientIds: readonly string[],
): Promise<void> {
  const rules = await lockRoleRules(trx, grantor.organizationId, role, clientIds);
  if (rules === undefined) throw invalidInput('role', 'There is no such role.');
  if (!canGrant(grantor.rules, rules, grantor.organizationId)) throw exceedsOwnPermissions();
}

/**
 * Checks that the grantor holds all permissions of a holder who may be about to lose them. A deleted role is read-only.
 * @throws 403 `beyond_own_rights`
 */
export async function requireWithinOwnPermissions(
  trx: Transaction,
  grantor: Grantor,
  holder: Holder,
): Promise<void> {
  const { organizationId } = grantor;
  const rules =
    (await lockRoleRules(trx, organizationId, holder.role, holder.client_ids)) ??
    effectiveRules(organizationId, holder.role, undefined, holder.client_ids);
  if (!canGrant(grantor.rules, rules, organizationId)) throw exceedsOwnPermissions();
}

/**
 * @returns whether the grantor holds all permissions of a holder; false for holders that were not given
 * @param holders  members or invitations: all that will be queried
 */
export async function withinOwnPermissions(
  trx: Transaction,
  { rules, organizationId }: Grantor,
  holders: readonly Holder[],
): Promise<(holder: Holder) => boolean> {
  const customRoles = holders.every(({ role }) => isBuiltInRole(role)) ? [] : await listCustomRoles(trx);
  const keyOf = ({ role, client_ids }: Holder) => [role, ...client_ids].join(' ');
  const known = new Map<string, boolean>();
  for (const holder of holders) {
    if (known.has(keyOf(holder))) continue;
    const customRules = customRoles.find(({ role }) => role === holder.role)?.rules;
    const held = effectiveRules(organizationId, holder.role, customRules, holder.client_ids);
    known.set(keyOf(holder), canGrant(rules, held, organizationId));
  }
  return (holder) => known.get(keyOf(holder)) ?? false;
}

/**
 * Checks that a member with a role limited to clients has a client.
 * @throws 422 on `client_ids`
 */
export async function requireClientsOf(
  trx: Transaction,
  role: string,
  clientIds: readonly string[],
): Promise<void> {
  if (clientIds.length > 0) return;
  const custom = isBuiltInRole(role) ? undefined : await findCustomRole(trx, role);
  if (usesMemberClients(rulesFor(role, custom?.rules)))
    throw invalidInput('client_ids', 'Choose at least one client.');
}

/** @throws 422 on `client_ids` if the grantor cannot see one of the clients */
export async function requireVisibleClients(
  trx: Transaction,
  grantor: Grantor,
  clientIds: readonly string[],
): Promise<void> {
  const wanted = [...new Set(clientIds)];
  if (wanted.length === 0) return;
  if ((await countVisibleClients(trx, wanted, readableClients(grantor))) < wanted.length)
    throw invalidInput('client_ids', 'Choose clients of this organization.');
}

/**
 * Locks the membership of the user who creates a link or a key, so that a removal waits until it is stored: a removal
 * revokes only what exists.
 * @throws 404 if the user has just been removed
 */
export async function requireStillMember(trx: Transaction, userId: string): Promise<void> {
  if ((await lockSponsor(trx, userId)) === undefined) throw notFound();
}

/**
 * Reads the permissions again in the transaction: those of the request may have been revoked meanwhile. Locks the
 * membership until the transaction ends.
 * @returns the member with the current rules
 * @throws 404 if the user was removed; 403 `forbidden` if this permission is no longer held
 */
export async function requireStillAllowed(
  trx: Transaction,
  { organizationId, userId }: ActingMember,
  [action, subject]: Permission,
): Promise<ActingMember> {
  const sponsor = orNotFound(await lockSponsor(trx, userId));
  const { role, client_ids } = sponsor;
  const customRole = isBuiltInRole(role) ? undefined : await findCustomRole(trx, role);
  const rules = effectiveRules(organizationId, role, customRole?.rules, client_ids);
  if (accessScopeOf(rules, action, subject, organizationId) === 'nothing') throw forbidden(action, subject);
  return { organizationId, userId, rules };
}
