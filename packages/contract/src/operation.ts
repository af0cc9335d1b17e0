import './zod-in-browsers.ts';
import { oc } from '@orpc/contract';
import { z } from 'zod';
import { apiErrors, pickErrors } from './errors.ts';
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
  'messages',
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

/** A permission as operations declare it: `read Client`. */
export type RequiredPermission = `${Action} ${Subject}`;

export interface OperationMeta {
  access: Access;
  /**
   * An unsafe operation normally runs in one transaction, together with its idempotency key. Operations that wait for
   * something slower than the database, or that stream, open their own short transactions instead, and change what they
   * change in the last of them, with `commit`.
   */
  manualTransaction: boolean;
  /**
   * Needs somebody who signed in within the last hour, and no API key: members, roles, keys, deletion. `above_guest`:
   * only where the operation gives a role above guest, which its handler checks with `requireReauth`.
   */
  requiresReauth: boolean | 'above_guest';
  /**
   * Fields of the response, wherever they stand in it, that are shown once: a repeat with the same Idempotency-Key gets
   * null in their place.
   */
  secretFields: readonly string[];
  /**
   * Expensive operations take time that grows with the data of the organization, or run programs of its members. They
   * have connections of their own, few for each person and organization. An operation that searches is one of them.
   */
  isExpensive: boolean;
  /**
   * What the audit log has of an operation of members that changes something: each use, or what one caller does to one
   * record, once in 24 hours. Its entries stay for ever, and a program may use an operation for each of its customers.
   */
  auditEntries: 'each' | 'daily';
  /** The input that is the body of the request, where that is one thing of any shape; the others stand in path and query. */
  bodyField: string | undefined;
  /** Whether a GET is answered as SEARCH, too, with its query in the body. */
  takesSearch: boolean;
}

/** Whether a call of an operation is expensive. @param input  before its schema has checked it */
export function isExpensive(
  { isExpensive: isDeclared, bodyField }: Pick<OperationMeta, 'isExpensive' | 'bodyField'>,
  input: unknown,
): boolean {
  if (isDeclared) return true;
  if (typeof input !== 'object' || input === null) return false;
  const { search = '', [bodyField ?? '']: body } = input as Record<string, unknown>;
  return (search ?? '') !== '' || Array.isArray(body);
}

/** Seconds, as in the header Retry-After. */
const retryAfter = z.object({ retry_after: z.number() });

/** What `data` has of errors that many operations can give, and routes that are none. */
export const errorData = {
  invalid_input: z.object({ errors: z.array(z.object({ path: z.string(), message: z.string() })) }),
  forbidden: z.object({ action: z.string(), subject: z.string() }),
  too_many_attempts: retryAfter,
  too_many_requests: retryAfter,
  unavailable: retryAfter.optional(),
} as const;

/** The errors that any operation can give. docs/error-codes.md lists all codes. */
const commonErrors = {
  ...pickErrors('bad_request', 'headers_too_large', 'internal'),
  invalid_input: { ...apiErrors.invalid_input, data: errorData.invalid_input },
  too_many_requests: { ...apiErrors.too_many_requests, data: errorData.too_many_requests },
  unavailable: { ...apiErrors.unavailable, data: errorData.unavailable },
} as const;

/** Of operations that may have a body and change something. */
const unsafeErrors = pickErrors(
  'foreign_origin',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
);

const signedInErrors = {
  ...pickErrors('not_signed_in', 'not_found'),
  forbidden: { ...apiErrors.forbidden, data: errorData.forbidden },
} as const;

/** The errors that operations of this kind can give; each operation adds its own codes beside them. */
const errorsOf = (isUnsafe: boolean, { access, requiresReauth }: OperationMeta): typeof commonErrors => ({
  ...commonErrors,
  ...(isUnsafe ? unsafeErrors : {}),
  ...(access.who === 'public' ? {} : signedInErrors),
  ...(isUnsafe && access.who !== 'public' ? pickErrors('idempotency_key_reused') : {}),
  ...(access.who === 'member' ? pickErrors('second_factor_required') : {}),
  ...(isUnsafe && access.who === 'member' ? pickErrors('organization_suspended') : {}),
  ...(requiresReauth === false ? {} : pickErrors('sign_in_again')),
});

/** Of operations that are counted: they may be made so often in so much time. */
/** Of operations that add recipients to those of 24 hours. */
export const dailyLimitReached = {
  daily_limit_reached: {
    ...apiErrors.daily_limit_reached,
    data: z.object({ limit: z.number(), used: z.number() }),
  },
} as const;

export const tooManyAttempts = {
  too_many_attempts: { ...apiErrors.too_many_attempts, data: errorData.too_many_attempts },
} as const;

/** How many records of a kind a person, an organization or a client may have, where a list shows all of them. */
export const maxRecords = 100;

/** Of operations that add to such a list, or bring something back into it. */
export const tooManyRecords = {
  too_many_records: { ...apiErrors.too_many_records, data: z.object({ limit: z.number() }) },
} as const;

/** Of operations that change a status. */
export const invalidTransition = {
  invalid_transition: {
    ...apiErrors.invalid_transition,
    data: z.object({ from: z.string(), to: z.string() }),
  },
} as const;

const defaultMeta: OperationMeta = {
  access: { who: 'public' },
  manualTransaction: false,
  requiresReauth: false,
  secretFields: [],
  isExpensive: false,
  auditEntries: 'each',
  bodyField: undefined,
  takesSearch: false,
};
const base = oc.$meta<OperationMeta>(defaultMeta);

/** Method and path in one, as HTTP writes them: `GET /clients/{id}`. */
type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

type OperationOptions = Partial<Omit<OperationMeta, 'access'>> & {
  /** 200 unless told. */
  successStatus?: number;
};

// Operations that share tag and tenant come from one function: `const onClient = memberOperations('Clients', 'clients')`
// declares `onClient('GET /clients/{id}', 'One client', 'read Client')`. The tag groups them in the API reference.

/** Operations that anybody may use. */
export const publicOperations =
  (tag: string) =>
  (route: Route, summary: string, options: OperationOptions = {}) =>
    declare(tag, { who: 'public' }, route, summary, options);

/**
 * Operations for any signed-in user, about what belongs to that user. Not for API keys, which act for an organization.
 */
export const userOperations =
  (tag: string) =>
  (route: Route, summary: string, options: OperationOptions = {}) =>
    declare(tag, { who: 'signed_in' }, route, summary, options);

type MemberOperationOptions = OperationOptions & { additionalPermissions?: readonly RequiredPermission[] };

/** Operations for members of the tenant who have the required permission. */
export const memberOperations =
  (tag: string, tenant: 'organization_id' | TenantRecord) =>
  (
    route: Route,
    summary: string,
    required: RequiredPermission,
    { additionalPermissions: additional = [], ...options }: MemberOperationOptions = {},
  ) => {
    const permission = toPermission(required);
    const additionalPermissions = additional.map(toPermission);
    return declare(
      tag,
      { who: 'member', permission, additionalPermissions, tenant },
      route,
      summary,
      options,
    );
  };

const toPermission = (required: RequiredPermission) => required.split(' ') as [Action, Subject];

function declare(
  tag: string,
  access: Access,
  route: Route,
  summary: string,
  { successStatus = 200, ...meta }: OperationOptions,
) {
  const [method, path] = route.split(' ') as ['GET', `/${string}`];
  const fullMeta = { ...defaultMeta, ...meta, access };
  return base
    .errors(errorsOf(method !== 'GET', fullMeta))
    .route({ method, path, summary, tags: [tag], successStatus })
    .meta(fullMeta);
}
