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
import { apiError, forbidden, notFound } from '../../platform/http/api-error.ts';
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
  /** Of an API key; undefined for people, who are limited by their role alone. */
  scopeRules: AbilityRule[] | undefined;
}

/** What a transaction of a limited member is limited to; the organization stands for what all its clients share. */
export interface LimitedAccessScope extends Readonly<Record<string, readonly string[]>> {
  client_ids: string[];
  brand_ids: string[];
  content_organization_ids: string[];
  template_organization_ids: string[];
}

/** What every request needs before its operation: the look-up of the membership, and the limits of use. */
export interface Access {
  /** A pool for that alone: no other work keeps a request from being decided over. */
  db: Database;
  limits: RequestLimits;
}

/**
 * The caller's membership in the organization that a record belongs to.
 * @throws 404 for strangers, unknown and malformed ids alike; 403 `second_factor_required`; LimitExceeded
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
  // A key acts in its own organization, wherever else its owner is a member.
  if (found === undefined || (apiKey !== undefined && apiKey.organizationId !== found.organization_id))
    throw notFound();
  const { organization_id, role, status, rules, client_ids, lacks_second_factor } = found;
  // A key acts for its organization, and cannot enter a code.
  if (lacks_second_factor && apiKey === undefined) throw apiError('second_factor_required');
  await limits.countOrganization(organization_id);
  if (apiKey === undefined) await recordLastSeen(db, userId, organization_id);
  return {
    organizationId: organization_id,
    role,
    status,
    // A custom role without rules was deleted, and the default is read-only.
    rules: fillRules(rulesFor(role, rules), { organization_id, client_ids }),
    scopeRules: apiKey === undefined ? undefined : rulesOfScopes(apiKey.scopes),
  };
}

/**
 * How far the member may go with this permission.
 * @throws 403 `forbidden` where it is nowhere
 */
export function requireAccessScope(
  member: Membership,
  [action, subject]: Permission,
): Exclude<AccessScope, 'nothing'> {
  const accessScope = accessScopeOf(member.rules, action, subject, member.organizationId);
  if (accessScope === 'nothing' || !isAllowed(member, [action, subject])) throw forbidden(action, subject);
  return accessScope;
}

/** Whether the member may do this anywhere in the organization. */
export function isAllowed(member: Membership, permission: Permission): boolean {
  const { organizationId, rules, scopeRules = [{ action: 'manage', subject: 'all' }] } = member;
  return [rules, scopeRules].every(
    (given) => accessScopeOf(given, ...permission, organizationId) !== 'nothing',
  );
}

/**
 * How far the member may go with all these permissions together, as transactions want it: undefined for all of the
 * organization.
 * @throws 403 `forbidden` with the first permission that is held nowhere
 */
export function requireCommonAccessScope(
  member: Membership,
  requiredPermissions: readonly Permission[],
): LimitedAccessScope | undefined {
  const common = requiredPermissions
    .map((permission) => requireAccessScope(member, permission))
    .reduce<AccessScope>(intersectAccessScopes, 'all');
  // Each one covers something: what they have in common may be empty, and is never `nothing`.
  if (typeof common === 'string') return undefined;
  return {
    ...common,
    content_organization_ids: organizationsShared(member, 'Content'),
    template_organization_ids: organizationsShared(member, 'Template'),
  };
}

/** The organization where what all clients share of this is for a member who is limited elsewhere. */
const organizationsShared = (member: Membership, subject: 'Content' | 'Template'): string[] =>
  isAllowed(member, ['read', subject]) &&
  accessScopeOf(member.rules, 'read', subject, member.organizationId) === 'all'
    ? [member.organizationId]
    : [];

export const organizationSuspended = () => apiError('organization_suspended');

const lastSeenIntervalMs = 5 * 60_000;
const notedLately = new LRUCache<string, true>({ max: 50_000, ttl: lastSeenIntervalMs });

/** Writes down that a member is here, at most every few minutes. */
async function recordLastSeen(db: Database, userId: string, organizationId: string): Promise<void> {
  const key = `${userId} ${organizationId}`;
  if (notedLately.has(key)) return;
  notedLately.set(key, true);
  await limitedTransaction(db, { userId, organizationId }, (trx) => updateLastSeen(trx, userId), 'access');
}
