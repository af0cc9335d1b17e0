import type { AnySchema, ErrorMap, InferSchemaInput, InferSchemaOutput } from '@orpc/contract';
import { implement, os, type ProcedureImplementer } from '@orpc/server';
import type { AbilityRule } from '@reachout/contract/abilities.ts';
import {
  invalidUser,
  isExpensive,
  type OperationMeta,
  type Permission,
} from '@reachout/contract/operation.ts';
import { contract } from '@reachout/contract/router.ts';
import { forbidden, invalidInput, notSignedIn, reauthRequired } from '../../platform/http/api-error.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { RequestLog } from '../../platform/http/orpc-problems.ts';
import type { AuditNote } from './audit.ts';
import { isRecentlySignedIn, type Caller, type RequestOrigin } from './caller.ts';
import { checkPathInputs } from './check-path-inputs.ts';
import {
  getMembership,
  isAllowed,
  organizationSuspended,
  requireCommonAccessScope,
  type Access,
  type LimitedAccessScope,
  type Membership,
} from './membership.ts';
import { denyBeyondScope, limitedTransaction } from './limited-transaction.ts';
import { findEarlier, runOnce } from './run-once.ts';

/** Context of a request before authorization. */
export interface RequestContext {
  /** One connection pool for each workload. */
  db: Database;
  expensiveDb: Database;
  access: Access;
  /** The caller of the session or API key; undefined if not signed in. Most public operations do not call it. */
  findCaller: () => Promise<Caller | undefined>;
  idempotencyKey: string | undefined;
  /** The path of an HTTP request, below `/api`; undefined for internal operations. */
  path?: string | undefined;
  /** Query of a SEARCH request, which sends it in the body. */
  searchQuery?: URLSearchParams | undefined;
  origin: RequestOrigin;
  /** Whether the browser may read the system mailbox. */
  hasMailboxKey: boolean;
  log: RequestLog;
}

/** Context of an operation's handler. */
export interface OperationContext {
  /** Empty in public operations. */
  userId: string;
  /** The tenant. Only members with the required permission get here. Empty in operations without a tenant. */
  organizationId: string;
  role: string;
  /** The caller's rules in this organization, for deciding which permissions the caller may grant. */
  rules: AbilityRule[];
  /** Whether the caller also has this permission somewhere in the organization, for responses that show more if so. */
  can: (...need: Permission) => boolean;
  /** The session of the request; empty for API keys and public operations. */
  sessionId: string;
  origin: RequestOrigin;
  hasMailboxKey: boolean;
  /**
   * Runs `work` as this user in this organization, within the access scope of the permission. Unsafe operations have
   * one transaction from start to response, which all uses share; safe ones, and those that declare
   * `manualTransaction`, open a new one for each use. Public operations run without a user and an organization.
   */
  transaction: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /** Like `transaction`, for an inexpensive part of a safe expensive operation: it does not wait for expensive work. */
  quickTransaction: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /**
   * Runs the one writing transaction of an unsafe operation that declares `manualTransaction`, after preparation
   * outside of it. Handles the idempotency key and the audit entry as for other unsafe operations.
   * @param work  returns the response of the operation
   */
  commit: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /**
   * Finds the response to an earlier request with the same idempotency key. Operations that change something outside
   * the database call this before `commit`, so that a repeat does not change it again.
   */
  findEarlier: () => Promise<{ response: unknown } | undefined>;
  /**
   * For operations that need a recent sign-in for some of their inputs only (`requiresReauth: 'above_guest'`).
   * @throws 401 `sign_in_again`; 403 `forbidden` for API keys
   */
  requireReauth: () => void;
  /** Adds to the audit entry of this operation; only for unsafe operations of members. */
  note: (note: AuditNote) => void;
  /**
   * Checks again that this user may use this operation: streams outlive sign-outs, removals and role changes.
   * @throws the same errors as the operation
   */
  confirm: () => Promise<void>;
}

type MemberAccess = Extract<OperationMeta['access'], { who: 'member' }>;

/**
 * The only middleware that authorizes operations, based on their declaration in the contract. In this order: signed in,
 * member of the tenant, permission, organization not suspended, recent sign-in. The input is validated afterwards, so
 * that callers without access learn nothing from validation messages.
 */
const authorize = os
  .$context<RequestContext>()
  .middleware(async ({ context, procedure, path, next }, input) => {
    const { meta, route, errorMap } = procedure['~orpc'];
    const { access, manualTransaction, requiresReauth, secretFields, auditEntries } = meta as OperationMeta;
    const { origin, hasMailboxKey, idempotencyKey } = context;
    if (access.who === 'public') {
      const runAsNobody = <T>(work: (trx: Transaction) => Promise<T>) =>
        limitedTransaction(context.db, {}, work);
      const transactions = {
        transaction: runAsNobody,
        quickTransaction: runAsNobody,
        commit: runAsNobody,
      };
      return await next({ context: { ...nobody, origin, hasMailboxKey, ...transactions } });
    }
    const caller = await context.findCaller();
    if (caller === undefined) throw notSignedIn(errorMap['not_signed_in']?.message);
    const { userId, session } = caller;
    if (context.path !== undefined) checkPathInputs(route.path ?? '/', context.path, input);

    const findMember = async () =>
      access.who === 'member' ? await authorizeMember(context.access, caller, access, input) : undefined;
    const member = await findMember();
    const isUnsafe = route.method !== 'GET';
    if (
      caller.apiKey !== undefined &&
      errorMap['not_signed_in']?.message === invalidUser.not_signed_in.message
    )
      throw notSignedIn(invalidUser.not_signed_in.message);
    checkCaller(caller, member?.membership, isUnsafe);
    if (requiresReauth === true) checkReauth(caller);

    const organizationId = member?.membership.organizationId;
    const actor = { userId, organizationId, accessScope: member?.accessScope };
    const runQuick = <T>(work: (trx: Transaction) => Promise<T>) =>
      limitedTransaction(context.db, actor, work);
    const runLimited = <T>(work: (trx: Transaction) => Promise<T>) =>
      isExpensive(meta as OperationMeta, input)
        ? limitedTransaction(context.expensiveDb, actor, work, 'expensive')
        : runQuick(work);
    const runTransaction = <T>(work: (trx: Transaction) => Promise<T>) =>
      access.who === 'member'
        ? runLimited(work).catch(denyBeyondScope(actor, access.permission))
        : runLimited(work);
    const notes: AuditNote[] = [];
    const declared = { secretFields, auditEntries };
    const unsafe = { caller, organizationId, origin, path, input, idempotencyKey, notes, ...declared };
    const commit = <T>(work: (trx: Transaction) => Promise<T>) =>
      runTransaction((trx) => runOnce(trx, { ...unsafe, accessScope: actor.accessScope }, work));
    const operationContext = (transaction: OperationContext['transaction']): OperationContext => ({
      userId,
      organizationId: organizationId ?? '',
      role: member?.membership.role ?? '',
      rules: member?.membership.rules ?? [],
      can: (...need) => member !== undefined && isAllowed(member.membership, need),
      sessionId: session?.id ?? '',
      origin,
      hasMailboxKey,
      transaction,
      quickTransaction: isUnsafe ? transaction : runQuick,
      commit,
      findEarlier: async () =>
        idempotencyKey === undefined
          ? undefined
          : await runTransaction((trx) => findEarlier(trx, { ...unsafe, accessScope: actor.accessScope })),
      requireReauth: () => checkReauth(caller),
      note: (note) => notes.push(note),
      confirm: async () => {
        if ((await context.findCaller())?.userId !== userId) throw notSignedIn();
        // From here on, records beyond the current access scope are not shown.
        actor.accessScope = (await findMember())?.accessScope;
      },
    });

    if (!isUnsafe || manualTransaction) return await next({ context: operationContext(runTransaction) });
    const options = { context: operationContext(runTransaction) };
    const output = await commit(async (trx) => {
      options.context = operationContext((work) => work(trx));
      return (await next(options)).output;
    });
    return { output, ...options };
  });

/** Implements the contract: `operations.clients.list.handler(…)`. */
export const operations = implement(contract).$context<RequestContext>().use(authorize);

/** An operation of the contract, to be implemented. */
export type Operation<I extends AnySchema, O extends AnySchema, E extends ErrorMap> = ProcedureImplementer<
  RequestContext,
  RequestContext & OperationContext,
  I,
  O,
  E,
  OperationMeta
>;

/** Implements an operation with `work`, which runs in one transaction. */
export const inTransaction = <I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  operation: Operation<I, O, E>,
  work: (
    trx: Transaction,
    input: InferSchemaOutput<I>,
    context: OperationContext,
  ) => Promise<InferSchemaInput<O>>,
) => operation.handler(({ input, context }) => context.transaction((trx) => work(trx, input, context)));

type Work<Implementer> =
  Implementer extends Operation<infer I, infer O, infer _E>
    ? (
        trx: Transaction,
        input: InferSchemaOutput<I>,
        context: OperationContext,
      ) => Promise<InferSchemaInput<O>>
    : never;
type Implemented<Implementer> = Implementer extends { handler: (...args: never[]) => infer R } ? R : never;

/** Implements operations of one subject, each in one transaction. */
export const inTransactions = <Subject extends object, Name extends keyof Subject>(
  subject: Subject,
  works: { [N in Name]: Work<Subject[N]> },
) =>
  Object.fromEntries(
    Object.entries<Work<Operation<AnySchema, AnySchema, ErrorMap>>>(works).map(([name, work]) => [
      name,
      inTransaction(subject[name as Name] as Operation<AnySchema, AnySchema, ErrorMap>, work),
    ]),
  ) as { [N in Name]: Implemented<Subject[N]> };

const nobody: Omit<
  OperationContext,
  'transaction' | 'quickTransaction' | 'commit' | 'origin' | 'hasMailboxKey'
> = {
  userId: '',
  organizationId: '',
  role: '',
  rules: [],
  can: () => false,
  sessionId: '',
  findEarlier: () => Promise.resolve(undefined),
  requireReauth: () => {
    throw notSignedIn();
  },
  note: () => {},
  confirm: () => Promise.resolve(),
};

/** Checks all conditions except the permission and the recent sign-in. @throws 403 */
function checkCaller(caller: Caller, membership: Membership | undefined, isUnsafe: boolean): void {
  // An API key acts for its organization, not for the user who created it.
  if (caller.apiKey !== undefined && membership === undefined) throw forbidden('read', 'all');
  if (isUnsafe && membership?.status === 'suspended') throw organizationSuspended();
}

/** @throws 401 `sign_in_again`; 403 `forbidden` for API keys */
function checkReauth(caller: Caller): void {
  if (caller.apiKey !== undefined) throw forbidden('manage', 'all');
  if (!isRecentlySignedIn(caller, new Date())) throw reauthRequired();
}

async function authorizeMember(
  access: Access,
  caller: Caller,
  declared: MemberAccess,
  input: unknown,
): Promise<{
  membership: Membership;
  accessScope: LimitedAccessScope | undefined;
}> {
  const { tenantInput: key } = declared;
  const inputs = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
  const given = inputs[key];
  if (given === undefined) throw invalidInput(key, 'Say which one.');
  const kind = declared.tenant === 'organization_id' ? 'organizations' : declared.tenant;
  const membership = await getMembership(access, caller, kind, given);
  return {
    membership,
    accessScope: requireCommonAccessScope(membership, [
      declared.permission,
      ...declared.additionalPermissions,
      ...Object.entries(declared.inputPermissions).flatMap(([name, permission]) =>
        inputs[name] === undefined ? [] : [permission],
      ),
    ]),
  };
}
