import {
  fillRules,
  accessScopeOf,
  rulesFor,
  rulesOfScopes,
  type AbilityRule,
} from '@reachout/contract/abilities.ts';
import { intersectAccessScopes, type AccessScope } from '@reachout/contract/access-scope.ts';
import type { Permission, TenantRecord } from '@reachout/contract/operation.ts';
import { LRUCache } from 'lru-cache';
import { apiError, forbidden, notFound, notSignedIn } from '../../platform/http/api-error.ts';
import type { Database } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Caller } from './caller.ts';
import type { RequestLimits } from './request-limits.ts';
import { findMembership, updateLastSeen } from '../memberships/membership.queries.ts';
import { limitedTransaction } from './limited-transaction.ts';

/** The permissions of a member in one organization. */
export interface Membership {
  organizationId: string;
  role: string;
  status: string;
  /** The role's rules, with their placeholders filled. */
  rules: AbilityRule[];
  /** Rules of the API key's scopes; undefined for users, who are limited by their role alone. */
  scopeRules: AbilityRule[] | undefined;
}

/** Access scope of a transaction of a limited member; the organization stands for what all its clients share. */
export interface LimitedAccessScope extends Readonly<Record<string, readonly string[]>> {
  client_ids: string[];
  brand_ids: string[];
  content_organization_ids: string[];
  template_organization_ids: string[];
}

/** Dependencies of authorization: the membership look-up and the request limits. */
export interface Access {
  /** A separate pool, so that no other work delays authorization. */
  db: Database;
  limits: RequestLimits;
}

/**
 * @returns the caller's membership in the organization that a record belongs to
 * @throws 404 for non-members, unknown and malformed ids alike; 403 `second_factor_required`; LimitExceeded
 */
export async function getMembership(
  { db, limits }: Access,
  caller: Caller,
  kind: TenantRecord,
  recordId: unknown,
): Promise<Membership> {
  if (!isUuid(recordId)) throw notFound();
  const { userId, apiKey } = caller;
  const found = await limitedTransaction(
    db,
    { userId },
    (trx) => findMembership(trx, kind, recordId),
    'access',
  );
  // An API key acts only in its own organization, even if its owner is a member of others.
  if (found === undefined || (apiKey !== undefined && apiKey.organizationId !== found.organization_id))
    throw notFound();
  const { organization_id, role, status, rules, client_ids, lacks_second_factor } = found;
  // An API key acts for its organization and cannot enter a code.
  if (lacks_second_factor && apiKey === undefined) throw apiError('second_factor_required');
  await limits.countOrganization(organization_id);
  if (apiKey === undefined) await recordLastSeen(db, userId, organization_id);
  return {
    organizationId: organization_id,
    role,
    status,
    // A custom role without rules was deleted; the default is read-only.
    rules: fillRules(rulesFor(role, rules), { organization_id, client_ids }),
    scopeRules: apiKey === undefined ? undefined : rulesOfScopes(apiKey.scopes),
  };
}

/**
 * @returns the member's access scope for this permission
 * @throws 403 `forbidden` if the member has it nowhere
 */
export function requireAccessScope(
  member: Membership,
  [action, subject]: Permission,
): Exclude<AccessScope, 'nothing'> {
  const accessScope = accessScopeOf(member.rules, action, subject, member.organizationId);
  if (accessScope === 'nothing' || !isAllowed(member, [action, subject])) throw forbidden(action, subject);
  return accessScope;
}

/** Whether the member has this permission anywhere in the organization. */
export function isAllowed(member: Membership, permission: Permission): boolean {
  const { organizationId, rules, scopeRules = [{ action: 'manage', subject: 'all' }] } = member;
  return [rules, scopeRules].every(
    (given) => accessScopeOf(given, ...permission, organizationId) !== 'nothing',
  );
}

/**
 * @returns the common access scope of all these permissions, for a transaction; undefined for the whole organization
 * @throws 403 `forbidden` with the first permission that the member has nowhere
 */
export function requireCommonAccessScope(
  member: Membership,
  requiredPermissions: readonly Permission[],
): LimitedAccessScope | undefined {
  const common = requiredPermissions
    .map((permission) => requireAccessScope(member, permission))
    .reduce<AccessScope>(intersectAccessScopes, 'all');
  // No single access scope is `nothing`: the intersection may be empty, but is never `nothing`.
  if (typeof common === 'string') return undefined;
  return {
    ...common,
    content_organization_ids: organizationsShared(member, 'Content'),
    template_organization_ids: organizationsShared(member, 'Template'),
  };
}

/** The organization's id if the member may read all of this subject, including what all clients share; else none. */
const organizationsShared = (member: Membership, subject: 'Content' | 'Template'): string[] =>
  isAllowed(member, ['read', subject]) &&
  accessScopeOf(member.rules, 'read', subject, member.organizationId) === 'all'
    ? [member.organizationId]
    : [];

/**
 * Guards what belongs to no client or brand: members limited to some of them have no access.
 * @throws 403 `forbidden`
 */
export function requireWholeOrganization(
  { rules, organizationId }: Pick<Membership, 'rules' | 'organizationId'>,
  ...[action, subject]: Permission
): void {
  if (accessScopeOf(rules, action, subject, organizationId) !== 'all') throw forbidden(action, subject);
}

export const organizationSuspended = () => apiError('organization_suspended');

const lastSeenIntervalMs = 5 * 60_000;
const notedLately = new LRUCache<string, true>({ max: 50_000, ttl: lastSeenIntervalMs });

/** Updates the last-seen time of a member, at most every five minutes. */
async function recordLastSeen(db: Database, userId: string, organizationId: string): Promise<void> {
  const key = `${userId} ${organizationId}`;
  if (notedLately.has(key)) return;
  notedLately.set(key, true);
  await limitedTransaction(db, { userId, organizationId }, (trx) => updateLastSeen(trx, userId), 'access');
}

/** The authorized caller of a request, for transactions and the audit log. */
export interface AuthorizedRequest {
  userId: string;
  apiKey: Caller['apiKey'];
  organizationId: string;
  /** Common access scope of all required permissions; see `Actor`. */
  accessScope: LimitedAccessScope | undefined;
  /** Whether the caller sees only the content items they created; see `Actor`. */
  ownItemsOnly?: boolean;
  /** Whether the caller has this permission anywhere in the organization. */
  can: (...permission: Permission) => boolean;
}

/**
 * Authorizes requests that are not operations of the contract, such as uploads, by the same rules and in the same order
 * as `authorize` in operations.ts: signed in, member, permissions, organization not suspended.
 * @throws the same errors as operations: 401, 404, 403 `forbidden` or `organization_suspended`; LimitExceeded
 */
export async function authorizeRequest(
  access: Access,
  request: {
    caller: Caller | undefined;
    /** The record that the request is about: an organization, or a record of one. */
    record: readonly [kind: TenantRecord, id: unknown];
    requiredPermissions: readonly [Permission, ...Permission[]];
    isUnsafe: boolean;
  },
): Promise<AuthorizedRequest> {
  const { caller, requiredPermissions, isUnsafe } = request;
  if (caller === undefined) throw notSignedIn();
  const membership = await getMembership(access, caller, ...request.record);
  const accessScope = requireCommonAccessScope(membership, requiredPermissions);
  if (isUnsafe && membership.status === 'suspended') throw organizationSuspended();
  const { userId, apiKey } = caller;
  return {
    userId,
    apiKey,
    organizationId: membership.organizationId,
    accessScope,
    can: (...permission) => isAllowed(membership, permission),
  };
}
