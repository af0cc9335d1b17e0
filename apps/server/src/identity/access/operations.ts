import type { AnySchema, ErrorMap, InferSchemaInput, InferSchemaOutput } from '@orpc/contract';
import { implement, os, type ProcedureImplementer } from '@orpc/server';
import type { AbilityRule } from '@reachout/contract/abilities.ts';
import { isExpensive, type OperationMeta, type Permission } from '@reachout/contract/operation.ts';
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

/** The context of a request before its operation. */
export interface RequestContext {
  /** The pool of each workload. */
  db: Database;
  expensiveDb: Database;
  access: Access;
  /** From the session or the API key; undefined when nobody is signed in. Public operations do not ask. */
  findCaller: () => Promise<Caller | undefined>;
  idempotencyKey: string | undefined;
  /** The path of an HTTP request, below `/api`; undefined for operations from inside. */
  path?: string | undefined;
  /** Of a SEARCH, which has its query in the body. */
  searchQuery?: URLSearchParams | undefined;
  origin: RequestOrigin;
  /** Whether the browser may read the system mailbox. */
  hasMailboxKey: boolean;
  log: RequestLog;
}

/** The context of a handler. */
export interface OperationContext {
  /** Empty in public operations. */
  userId: string;
  /**
   * The tenant: its members alone get here, and only with the ability that the operation needs. Empty in operations
   * without one.
   */
  organizationId: string;
  role: string;
  /** The caller's rules here, for deciding which permissions the caller may grant. */
  rules: AbilityRule[];
  /**
   * Whether this caller may also do that somewhere in the organization: where a response tells more to those who may.
   */
  can: (...need: Permission) => boolean;
  /** The session that asks; empty for API keys and public operations. */
  sessionId: string;
  origin: RequestOrigin;
  hasMailboxKey: boolean;
  /**
   * Runs `work` as this user in this organization, within the access scope of the permission. Unsafe operations have
   * one transaction from start to response, and all uses are part of it; safe ones, and those that declare
   * `manualTransaction`, get a new one for each use. Public operations act for nobody, in no organization.
   */
  transaction: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /** The same for a part of a safe expensive operation that is not expensive: it waits for no such work of others. */
  quickTransaction: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /**
   * The one transaction in which an unsafe operation that declares `manualTransaction` changes something, after it has
   * prepared that outside: with the idempotency key and the audit entry that other unsafe operations have by themselves.
   * @param work  gives the response of the operation
   */
  commit: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /**
   * What an earlier request with the same idempotency key got: asked by operations that change something outside of the
   * database before they `commit`, so that a repeat does not change it again.
   */
  findEarlier: () => Promise<{ response: unknown } | undefined>;
  /**
   * For operations that need a recent sign-in for some of their inputs only (`requiresReauth: 'above_guest'`).
   * @throws 401 `sign_in_again`; 403 `forbidden` for API keys
   */
  requireReauth: () => void;
  /** Adds to what the audit log tells of this operation; only for unsafe operations of members. */
  note: (note: AuditNote) => void;
  /**
   * Checks once more that this person may use this operation: streams outlive sign-outs, removals and changes of role.
   * @throws as the operation itself does
   */
  confirm: () => Promise<void>;
}

type MemberAccess = Extract<OperationMeta['access'], { who: 'member' }>;

/**
 * The one mechanism that decides who may use an operation, read from its declaration in the contract. In this order:
 * signed in, member of the tenant, ability, recent sign-in, organization not suspended. The schema of the input is
 * checked after it, so that strangers learn nothing from validation messages.
 */
const authorize = os
  .$context<RequestContext>()
  .middleware(async ({ context, procedure, path, next }, input) => {
    const { meta, route } = procedure['~orpc'];
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
    if (caller === undefined) throw notSignedIn();
    const { userId, session } = caller;
    if (context.path !== undefined) checkPathInputs(route.path ?? '/', context.path, input);

    const findMember = async () =>
      access.who === 'member' ? await authorizeMember(context.access, caller, access, input) : undefined;
    const member = await findMember();
    const isUnsafe = route.method !== 'GET';
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
      findEarlier: () =>
        runTransaction((trx) => findEarlier(trx, { ...unsafe, accessScope: actor.accessScope })),
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

/** Implements an operation by work that is done in one transaction. */
export const inTransaction = <I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  operation: Operation<I, O, E>,
  work: (
    trx: Transaction,
    input: InferSchemaOutput<I>,
    context: OperationContext,
  ) => Promise<InferSchemaInput<O>>,
) => operation.handler(({ input, context }) => context.transaction((trx) => work(trx, input, context)));

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

/** Checks the conditions besides the ability and the recent sign-in. @throws 403 */
function checkCaller(caller: Caller, membership: Membership | undefined, isUnsafe: boolean): void {
  // A key acts for its organization, not for the person who made it.
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
  const key = declared.tenant === 'organization_id' ? 'organization_id' : 'id';
  const given =
    typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[key] : undefined;
  if (given === undefined) throw invalidInput(key, 'Say which one.');
  const kind = declared.tenant === 'organization_id' ? 'organizations' : declared.tenant;
  const membership = await getMembership(access, caller, kind, given);
  return {
    membership,
    accessScope: requireCommonAccessScope(membership, [
      declared.permission,
      ...declared.additionalPermissions,
    ]),
  };
}
