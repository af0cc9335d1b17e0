import './zod-config.ts';
import {
  ContractProcedure,
  mergeErrorMap,
  type AnyContractProcedure,
  type AnySchema,
  type ContractProcedureDef,
  type ErrorMap,
  type InferSchemaOutput,
  type MergedErrorMap,
  type Meta,
  type Schema,
} from '@orpc/contract';
import { z } from 'zod';
import { apiErrors, pickErrors } from './errors.ts';
import type { Action, Subject } from './abilities.ts';
import { id } from './values.ts';

/** The tables whose records an operation can identify by one of its inputs; the tenant is then the record's organization. */
export const tenantRecords = [
  'organizations',
  'clients',
  'brands',
  'campaigns',
  'touchpoints',
  'filters',
  'sending_domains',
  'touchpoint_sends',
  'touchpoint_schedules',
  'messages',
  'content_imports',
  'mailbox_messages',
  'topics',
  'sign_up_forms',
  'data_requests',
  'touchpoint_events',
] as const;
export type TenantRecord = (typeof tenantRecords)[number];

/**
 * Who can use an operation and whose data it accesses. One piece of server middleware enforces this; handlers do not check
 * again.
 * - `public`: anyone; `signed_in`: any user, for their own data only.
 * - `member`: a member of the tenant with that permission. `tenant` says where the organization comes from: the input's
 *   `organization_id`, or a record, and `tenantInput` which input identifies it.
 */
export type Access =
  | { who: 'public' }
  | { who: 'signed_in' }
  | {
      who: 'member';
      permission: Permission;
      /** Further permissions that the caller needs, for operations that return more than one subject. */
      additionalPermissions: readonly Permission[];
      /** Further permissions that the caller needs if the request has an input, by its name. */
      inputPermissions: Readonly<Record<string, Permission>>;
      tenant: 'organization_id' | TenantRecord;
      tenantInput: string;
    };

export type Permission = readonly [Action, Subject];

/** A permission as operations declare it: `read Client`. */
export type RequiredPermission = `${Action} ${Subject}`;

export interface OperationMeta {
  access: Access;
  /**
   * An unsafe operation normally runs in one transaction, together with its idempotency key. Operations that wait for
   * something slower than the database, or that stream, manage their own short transactions instead and make their changes
   * in the last one, with `commit`.
   */
  manualTransaction: boolean;
  /**
   * Requires a user who signed in within the last hour, and no API key: members, roles, keys, deletion. `above_guest`: only
   * if the operation grants a role above guest, which its handler checks with `requireReauth`.
   */
  requiresReauth: boolean | 'above_guest';
  /** Response fields, at any depth, that are shown once: a repeat with the same Idempotency-Key gets null for them. */
  secretFields: readonly string[];
  /**
   * The duration of an expensive operation grows with the organization's data, or it runs programs of members. Expensive
   * operations use separate connections, limited per user and organization. Searches always count as expensive.
   */
  isExpensive: boolean;
  /**
   * What the audit log records for a member operation that makes changes: each use, or one entry per caller and record in 24
   * hours. Entries are kept permanently, and an API client may call an operation for each of its customers.
   */
  auditEntries: 'each' | 'daily';
  /**
   * The input field that is the whole request body, for a single value of any shape; the other fields are in path and query.
   */
  bodyField: string | undefined;
  /** Whether a GET is also available as SEARCH, with its query in the body. */
  takesSearch: boolean;
  /** Whether its input is `params`, `query` and `body`, without an idempotency key: of uploads and other routes of file-transfers.ts. */
  isPlainRoute: boolean;
}

/** Whether this call of an operation is expensive. @param input  before schema validation */
export function isExpensive(
  { isExpensive: isDeclared, bodyField }: Pick<OperationMeta, 'isExpensive' | 'bodyField'>,
  input: unknown,
): boolean {
  if (isDeclared) return true;
  if (typeof input !== 'object' || input === null) return false;
  const given = input as Record<string, unknown>;
  return Array.isArray(given[bodyField ?? '']) || growing.some((filter) => (given[filter] ?? '') !== '');
}

/** Filters that read more than a page: texts, and what recipients did with a message. */
const growing = ['search', 'reaction', 'link'];

/** Seconds, as in the Retry-After header. */
const retryAfter = z.object({ retry_after: z.number() });

/** Schemas of the errors' `data`, shared by many operations and by routes outside the contract. */
export const errorData = {
  invalid_input: z.object({ errors: z.array(z.object({ path: z.string(), message: z.string() })) }),
  forbidden: z.object({ action: z.string(), subject: z.string() }),
  too_many_attempts: retryAfter,
  too_many_requests: retryAfter,
  unavailable: retryAfter.optional(),
} as const;

/** The errors that any operation can return. docs/error-codes.md lists all codes. */
const commonErrors = {
  ...pickErrors('bad_request', 'headers_too_large', 'internal'),
  invalid_input: { ...apiErrors.invalid_input, data: errorData.invalid_input },
  too_many_requests: { ...apiErrors.too_many_requests, data: errorData.too_many_requests },
  unavailable: { ...apiErrors.unavailable, data: errorData.unavailable },
} as const;

/** For operations that make changes and can have a body. */
const unsafeErrors = pickErrors(
  'foreign_origin',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
);

/** For public operations that check permissions of members; all others that need one have it anyway. */
export const forbidden = { forbidden: { ...apiErrors.forbidden, data: errorData.forbidden } } as const;

const signedInErrors = { ...pickErrors('not_signed_in', 'not_found'), ...forbidden } as const;

/** The errors that operations of this kind can return; each operation adds its own. */
const errorsOf = (
  isUnsafe: boolean,
  { access, requiresReauth, isPlainRoute }: OperationMeta,
): typeof commonErrors => ({
  ...commonErrors,
  ...(isUnsafe ? unsafeErrors : {}),
  ...(access.who === 'public' ? {} : signedInErrors),
  ...(isUnsafe && access.who !== 'public' && !isPlainRoute ? pickErrors('idempotency_key_reused') : {}),
  ...(access.who === 'member' ? pickErrors('second_factor_required') : {}),
  ...(isUnsafe && access.who === 'member' ? pickErrors('organization_suspended') : {}),
  ...(requiresReauth === false ? {} : pickErrors('sign_in_again')),
});

/** For operations that add recipients to those counted over 24 hours. */
export const dailyLimitReached = {
  daily_limit_reached: {
    ...apiErrors.daily_limit_reached,
    data: z.object({ limit: z.number(), used: z.number() }),
  },
} as const;

/** For operations whose calls are limited in number per period of time. */
export const tooManyAttempts = {
  too_many_attempts: { ...apiErrors.too_many_attempts, data: errorData.too_many_attempts },
} as const;

/** Maximum number of records of a kind per user, organization or client, where a list shows all of them. */
export const maxRecords = 100;

/** For operations that add a record to such a list or restore one. */
export const tooManyRecords = {
  too_many_records: { ...apiErrors.too_many_records, data: z.object({ limit: z.number() }) },
} as const;

/** For operations that change a status. */
export const invalidTransition = {
  invalid_transition: {
    ...apiErrors.invalid_transition,
    data: z.object({ from: z.string(), to: z.string() }),
  },
} as const;

/** For operations that load profile, organizations or preferences, which are those of a user. */
export const invalidUser = {
  not_signed_in: { ...apiErrors.not_signed_in, message: 'Invalid user' },
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
  isPlainRoute: false,
};

/** Method and path as in HTTP: `GET /clients/{id}`. */
type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

type OperationOptions = Partial<Omit<OperationMeta, 'access'>> & {
  /** Default: 200. */
  successStatus?: number;
};

// Operations with the same tag and tenant are declared through one function: with `const onClient =
// memberOperations('Clients', 'clients')`, write `onClient('GET /clients/{id}', 'One client', 'read Client')`. The tag
// groups them in the API reference.

/** Operations that anyone can use. */
export const publicOperations =
  (tag: string) =>
  <R extends Route>(route: R, summary: string, options: OperationOptions = {}) =>
    new DeclaredOperation({}, define(tag, { who: 'public' }, route, summary, options));

/** Operations for any signed-in user on their own data. Not for API keys, which act for an organization. */
export const userOperations =
  (tag: string) =>
  (route: Route, summary: string, options: OperationOptions = {}) =>
    new DeclaredOperation({}, define(tag, { who: 'signed_in' }, route, summary, options));

type MemberOperationOptions = OperationOptions & {
  additionalPermissions?: readonly RequiredPermission[];
  inputPermissions?: Readonly<Record<string, RequiredPermission>>;
};

type TenantInput<T> = T extends 'organization_id' ? T : 'id';

/**
 * Operations for members of the tenant with the required permission. They take what identifies it; `input` adds further fields.
 * @param tenantInput  the name of that input
 */
export const memberOperations =
  <T extends 'organization_id' | TenantRecord, I extends string = TenantInput<T>>(
    tag: string,
    tenant: T,
    tenantInput = (tenant === 'organization_id' ? tenant : 'id') as I,
  ) =>
  (
    route: Route,
    summary: string,
    required: RequiredPermission,
    {
      additionalPermissions: additional = [],
      inputPermissions: ofInputs = {},
      ...options
    }: MemberOperationOptions = {},
  ) => {
    const permission = toPermission(required);
    const additionalPermissions = additional.map(toPermission);
    const inputPermissions = Object.fromEntries(
      Object.entries(ofInputs).map(([input, needed]) => [input, toPermission(needed)]),
    );
    const fields = { [tenantInput]: id } as Record<I, typeof id>;
    const access = {
      who: 'member',
      permission,
      additionalPermissions,
      inputPermissions,
      tenant,
      tenantInput,
    } as const;
    return new DeclaredOperation(fields, {
      ...define(tag, access, route, summary, options),
      inputSchema: z.strictObject(fields),
    });
  };

const toPermission = (required: RequiredPermission) => required.split(' ') as [Action, Subject];

type NoFields = Record<string, never>;

/**
 * An operation that is being declared. Input and output take a schema, or the fields of an object: the input then has those of
 * the tenant as well, and no others.
 */
class DeclaredOperation<
  Tenant extends z.ZodRawShape,
  I extends AnySchema,
  O extends AnySchema,
  E extends ErrorMap,
  M extends Meta,
> extends ContractProcedure<I, O, E, M> {
  readonly #tenant: Tenant;

  constructor(tenant: Tenant, definition: ContractProcedureDef<I, O, E, M>) {
    super(definition);
    this.#tenant = tenant;
  }

  input<S extends z.ZodType>(schema: S): DeclaredOperation<NoFields, S, O, E, M>;
  input<F extends z.ZodRawShape>(
    fields: F,
  ): DeclaredOperation<NoFields, z.ZodObject<Tenant & F, z.core.$strict>, O, E, M>;
  input(given: z.ZodType | z.ZodRawShape): DeclaredOperation<NoFields, z.ZodType, O, E, M> {
    const inputSchema = isSchema(given) ? given : z.strictObject({ ...this.#tenant, ...given });
    return new DeclaredOperation({}, { ...this['~orpc'], inputSchema });
  }

  output<S extends AnySchema>(schema: S): DeclaredOperation<Tenant, I, S, E, M>;
  output<F extends z.ZodRawShape>(fields: F): DeclaredOperation<Tenant, I, z.ZodObject<F>, E, M>;
  output(given: AnySchema | z.ZodRawShape): DeclaredOperation<Tenant, I, AnySchema, E, M> {
    const outputSchema = isSchema(given) ? given : z.object(given);
    return new DeclaredOperation(this.#tenant, { ...this['~orpc'], outputSchema });
  }

  errors<U extends ErrorMap>(errors: U): DeclaredOperation<Tenant, I, O, MergedErrorMap<E, U>, M> {
    const errorMap = mergeErrorMap(this['~orpc'].errorMap, errors);
    return new DeclaredOperation(this.#tenant, { ...this['~orpc'], errorMap });
  }
}

const isSchema = <S extends AnySchema>(given: S | z.ZodRawShape): given is S => '~standard' in given;

function define<R extends Route>(
  tag: string,
  access: Access,
  route: R,
  summary: string,
  { successStatus = 200, ...options }: OperationOptions,
): ContractProcedureDef<
  Schema<unknown, unknown>,
  Schema<unknown, unknown>,
  typeof commonErrors,
  OperationMeta & { route: R }
> {
  const [method, path] = route.split(' ') as ['GET', `/${string}`];
  const meta = { ...defaultMeta, ...options, access, route };
  const inputStructure = meta.isPlainRoute ? 'detailed' : 'compact';
  return {
    meta,
    route: { method, path, summary, tags: [tag], successStatus, inputStructure },
    errorMap: errorsOf(method !== 'GET', meta),
  };
}

/** What the handler of an operation gets, beside the organization, which is that of its transaction. */
export type InputOf<O extends AnyContractProcedure> = Omit<
  InferSchemaOutput<NonNullable<O['~orpc']['inputSchema']>>,
  'organization_id'
>;
