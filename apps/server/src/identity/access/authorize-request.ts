import type { Permission, TenantRecord } from '@reachout/contract/operation.ts';
import { notSignedIn } from '../../platform/http/api-error.ts';
import type { Caller } from './caller.ts';
import {
  getMembership,
  isAllowed,
  organizationSuspended,
  requireCommonAccessScope,
  type Access,
  type LimitedAccessScope,
} from './membership.ts';

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
