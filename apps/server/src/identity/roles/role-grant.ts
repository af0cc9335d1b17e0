import {
  fillRules,
  isBuiltInRole,
  mayGrant,
  reachOf,
  rulesFor,
  type AbilityRule,
  type Reach,
} from '@reachout/contract/abilities.ts';
import type { Permission } from '@reachout/contract/operation.ts';
import { apiError, forbidden, invalidInput, notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { countVisibleClients } from '../memberships/member-clients.queries.ts';
import { lockSponsor } from '../memberships/member.queries.ts';
import { findOwnRole, listOwnRoles } from './role.queries.ts';

/** Somebody who gives or takes rights: the caller, or whoever sent an invitation that is being accepted. */
export interface Giver {
  organizationId: string;
  /** With their placeholders filled. */
  rules: readonly AbilityRule[];
}

/** Somebody who does so in the organization now. */
export interface ActingMember extends Giver {
  userId: string;
}

export const beyondOwnRights = () =>
  apiError(403, 'beyond_own_rights', 'You cannot give or take more rights than you have yourself.');

/** A member or an invited person. */
interface Holder {
  role: string;
  client_ids: readonly string[];
}

/** The clients that the giver may see. */
export const readableClients = ({ rules, organizationId }: Giver): Reach =>
  reachOf(rules, 'read', 'Client', organizationId);

/** The rules of a role as they hold for a member who is limited to these clients; an own role without any is read-only. */
export const effectiveRules = (
  organizationId: string,
  role: string,
  own: readonly AbilityRule[] | undefined,
  clientIds: readonly string[],
): AbilityRule[] =>
  fillRules(rulesFor(role, own === undefined || own.length === 0 ? null : [...own]), {
    organization_id: organizationId,
    client_ids: clientIds,
  });

/**
 * The same for a role of the organization, which stays as it is until the transaction ends.
 * @returns undefined for a role that is not there
 */
export async function lockRoleRules(
  trx: Transaction,
  organizationId: string,
  role: string,
  clientIds: readonly string[],
): Promise<AbilityRule[] | undefined> {
  if (isBuiltInRole(role)) return effectiveRules(organizationId, role, undefined, clientIds);
  const own = await findOwnRole(trx, role, 'share');
  return own && effectiveRules(organizationId, role, own.rules, clientIds);
}

/**
 * Makes sure that the giver may give this role to somebody who is limited to these clients.
 * @throws 422 on `role`; 403 `beyond_own_rights`
 */
export async function requireGrantable(
  trx: Transaction,
  giver: Giver,
  role: string,
  clientIds: readonly string[],
): Promise<void> {
  const rules = await lockRoleRules(trx, giver.organizationId, role, clientIds);
  if (rules === undefined) throw invalidInput('role', 'There is no such role.');
  if (!mayGrant(giver.rules, rules, giver.organizationId)) throw beyondOwnRights();
}

/**
 * Makes sure that the giver holds all that somebody has who may be about to lose it. A role that is gone is
 * read-only.
 * @throws 403 `beyond_own_rights`
 */
export async function requireWithinOwn(trx: Transaction, giver: Giver, holder: Holder): Promise<void> {
  const { organizationId } = giver;
  const rules =
    (await lockRoleRules(trx, organizationId, holder.role, holder.client_ids)) ??
    effectiveRules(organizationId, holder.role, undefined, holder.client_ids);
  if (!mayGrant(giver.rules, rules, organizationId)) throw beyondOwnRights();
}

/**
 * Which of these somebody holds all rights of; of the others it is false.
 * @param holders  members or invitations: all that will be asked about
 */
export async function withinOwn(
  trx: Transaction,
  { rules, organizationId }: Giver,
  holders: readonly Holder[],
): Promise<(holder: Holder) => boolean> {
  const own = holders.every(({ role }) => isBuiltInRole(role)) ? [] : await listOwnRoles(trx);
  const keyOf = ({ role, client_ids }: Holder) => [role, ...client_ids].join(' ');
  const known = new Map<string, boolean>();
  for (const holder of holders) {
    if (known.has(keyOf(holder))) continue;
    const ownRules = own.find(({ role }) => role === holder.role)?.rules;
    const held = effectiveRules(organizationId, holder.role, ownRules, holder.client_ids);
    known.set(keyOf(holder), mayGrant(rules, held, organizationId));
  }
  return (holder) => known.get(keyOf(holder)) ?? false;
}

/** @throws 422 on `client_ids` for those that the giver does not see */
export async function requireVisibleClients(
  trx: Transaction,
  giver: Giver,
  clientIds: readonly string[],
): Promise<void> {
  const wanted = [...new Set(clientIds)];
  if (wanted.length === 0) return;
  if ((await countVisibleClients(trx, wanted, readableClients(giver))) < wanted.length)
    throw invalidInput('client_ids', 'Choose clients of this organization.');
}

/**
 * Keeps whoever makes a link or a key from being removed before it is stored: a removal ends what it finds.
 * @throws 404 for somebody who was removed a moment ago
 */
export async function requireStillMember(trx: Transaction, userId: string): Promise<void> {
  if ((await lockSponsor(trx, userId)) === undefined) throw notFound();
}

/**
 * What somebody may do was read before the transaction: who lost it a moment ago takes and gives nothing with it any
 * more. The membership stays as it is until the transaction ends.
 * @returns the member with the rules of now
 * @throws 404 for somebody who was removed; 403 `forbidden` when this need is no longer met
 */
export async function requireStillAllowed(
  trx: Transaction,
  { organizationId, userId }: ActingMember,
  [action, subject]: Permission,
): Promise<ActingMember> {
  const sponsor = await lockSponsor(trx, userId);
  if (sponsor === undefined) throw notFound();
  const { role, client_ids } = sponsor;
  const own = isBuiltInRole(role) ? undefined : await findOwnRole(trx, role);
  const rules = effectiveRules(organizationId, role, own?.rules, client_ids);
  if (reachOf(rules, action, subject, organizationId) === 'nothing') throw forbidden(action, subject);
  return { organizationId, userId, rules };
}
