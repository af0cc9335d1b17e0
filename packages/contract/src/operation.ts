import { oc } from '@orpc/contract';
import { z } from 'zod';
import { apiErrors } from './errors.ts';
import type { Action, Subject } from './abilities.ts';

/** The records an operation may name by its `id`; the tenant is then the organization that record belongs to. */
export const tenantRecords = [
  'organizations',
  'clients',
  'brands',
  'campaigns',
  'touchpoints',
  'filters',
  'touchpoint_sends',
  'content_imports',
  'mailbox_messages',
] as const;
export type TenantRecord = (typeof tenantRecords)[number];

/**
 * Who may use an operation and whose data it touches. One mechanism on the server reads this; no handler checks again.
 * - `public`: anybody; `signed_in`: any user, touches only what is theirs.
 * - `permission`: a member of the tenant with that ability. `tenant` says where the organization comes from: the input's
 *   `organization_id`, or the record that the input's `id` names.
 */
export type Access =
  | { who: 'public' }
  | { who: 'signed_in' }
  | {
      who: 'member';
      permission: Permission;
      /** What the caller must be allowed besides, for operations that show more than one subject. */
      additionalPermissions: readonly Permission[];
      tenant: 'organization_id' | TenantRecord;
    };

export type Permission = readonly [Action, Subject];

export interface OperationMeta {
  access: Access;
  /**
   * An unsafe operation normally runs in one transaction, together with its idempotency key. Operations that wait for
   * something slower than the database, or that stream, open their own short transactions instead, and change what they
   * change in the last of them, with `commit`.
   */
  manualTransaction: boolean;
  /**
   * Needs somebody who signed in within the last hour, and no API key: members, roles, keys, deletion.
   */
  requiresReauth: boolean;
  /**
   * Fields of the response, wherever they stand in it, that are shown once: a repeat with the same Idempotency-Key gets
   * null in their place.
   */
  secretFields: readonly string[];
}

/**
 * The errors that any operation can give; each operation adds its own codes beside them. docs/error-codes.md lists all.
 */
const commonErrors = {
  not_signed_in: apiErrors.not_signed_in,
  sign_in_again: apiErrors.sign_in_again,
  forbidden: { ...apiErrors.forbidden, data: z.object({ action: z.string(), subject: z.string() }) },
  organization_suspended: apiErrors.organization_suspended,
  not_found: apiErrors.not_found,
  invalid_input: {
    ...apiErrors.invalid_input,
    data: z.object({ errors: z.array(z.object({ path: z.string(), message: z.string() })) }),
  },
  idempotency_key_reused: apiErrors.idempotency_key_reused,
} as const;

/** Of operations that are counted: they may be made so often in so much time. */
export const tooManyAttempts = {
  too_many_attempts: {
    ...apiErrors.too_many_attempts /** Seconds. */,
    data: z.object({ retry_after: z.number() }),
  },
} as const;

/** How many records of a kind a person, an organization or a client may have, where a list shows all of them. */
export const maxRecords = 100;

/** Of operations that add to such a list, or bring something back into it. */
export const tooManyRecords = {
  too_many_records: { ...apiErrors.too_many_records, data: z.object({ limit: z.number() }) },
} as const;

const defaultMeta: OperationMeta = {
  access: { who: 'public' },
  manualTransaction: false,
  requiresReauth: false,
  secretFields: [],
};
const base = oc.$meta<OperationMeta>(defaultMeta).errors(commonErrors);

interface OperationOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/${string}`;
  summary: string;
  tag: string;
  successStatus?: number;
  manualTransaction?: boolean;
  requiresReauth?: boolean;
  secretFields?: readonly string[];
}

const metaOf = (
  access: Access,
  { manualTransaction, requiresReauth, secretFields }: OperationOptions,
): OperationMeta => ({
  access,
  manualTransaction: manualTransaction ?? false,
  requiresReauth: requiresReauth ?? false,
  secretFields: secretFields ?? [],
});

const route = ({ method, path, summary, tag, successStatus }: OperationOptions) => ({
  method,
  path,
  summary,
  tags: [tag],
  ...(successStatus === undefined ? {} : { successStatus }),
});

/** An operation that anybody may use. */
export const publicOperation = (options: OperationOptions) =>
  base.route(route(options)).meta(metaOf({ who: 'public' }, options));

/**
 * An operation for any signed-in user, about what belongs to that user. Not for API keys, which act for an
 * organization.
 */
export const userOperation = (options: OperationOptions) =>
  base.route(route(options)).meta(metaOf({ who: 'signed_in' }, options));

/** An operation for members of the tenant who have the ability `permission`. */
export const memberOperation = (
  options: OperationOptions & {
    permission: Permission;
    additionalPermissions?: readonly Permission[];
    tenant: 'organization_id' | TenantRecord;
  },
) => {
  const { permission, additionalPermissions = [], tenant } = options;
  return base
    .route(route(options))
    .meta(metaOf({ who: 'member', permission, additionalPermissions, tenant }, options));
};
