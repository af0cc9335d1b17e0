import { implement, os } from '@orpc/server';
import type { AbilityRule } from '@reachout/contract/abilities.ts';
import type { CallMeta, Need } from '@reachout/contract/operation.ts';
import { contract } from '@reachout/contract/router.ts';
import {
  forbidden,
  invalidInput,
  notSignedIn,
  organizationSuspended,
  signInAgain,
} from '../../platform/http/api-error.ts';
import { transactionAs, type Database, type Transaction } from '../../platform/database/database.ts';
import { describeCall, writeAuditEntry, type AuditNote } from './audit.ts';
import { isRecentlySignedIn, type Caller, type RequestOrigin } from './caller.ts';
import { findFirstAnswer, keepAnswer } from './idempotency.ts';
import { getMembership, isAllowed, requireCommonReach, type Membership } from './membership.ts';
import { transactionInTurn } from './limited-transaction.ts';

/** What is known of a request before its call is looked at. */
export interface RequestContext {
  db: Database;
  /** From the session or the API key; undefined when nobody is signed in. Public calls do not ask. */
  findCaller: () => Promise<Caller | undefined>;
  idempotencyKey: string | undefined;
  /** The path of an HTTP request, below `/api`; undefined for calls from inside. */
  path?: string | undefined;
  origin: RequestOrigin;
  /** True for requests of this machine to a server that nobody else can reach. */
  isLocal: boolean;
}

/** What a handler works with. */
export interface CallContext {
  /** Empty in public calls. */
  userId: string;
  /** The tenant: its members alone get here, and only with the ability that the call needs. Empty in calls without one. */
  organizationId: string;
  role: string;
  /** What the caller may do here, for deciding what the caller may hand on. */
  rules: AbilityRule[];
  /** Whether this caller may also do that somewhere in the organization: where an answer tells more to those who may. */
  may: (...need: Need) => boolean;
  /** The session that asks; empty for API keys and public calls. */
  sessionId: string;
  origin: RequestOrigin;
  isLocal: boolean;
  /**
   * Runs `work` as this user in this organization, within the reach of the permission. Unsafe calls have one
   * transaction from start to answer, and all uses are part of it; safe ones, and those that declare `ownTransactions`,
   * get a new one for each use. Public calls act for nobody, in no organization.
   */
  transaction: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /** Adds to what the audit log tells of this call; only for unsafe calls of members. */
  note: (note: AuditNote) => void;
  /**
   * Checks once more that this person may make this call: streams outlive sign-outs, removals and changes of role.
   * @throws as the call itself does
   */
  confirm: () => Promise<void>;
}

type MemberAccess = Extract<CallMeta['access'], { who: 'member' }>;

/**
 * The one mechanism that decides who may make a call, read from its declaration in the contract.
 * In this order: signed in, member of the tenant, ability, recent sign-in, organization not suspended. The schema of the
 * input is checked after it, so that strangers learn nothing from validation messages.
 */
const authorize = os
  .$context<RequestContext>()
  .middleware(async ({ context, procedure, path, next }, input) => {
    const { access, ownTransactions, recentSignIn, shownOnce } = procedure['~orpc'].meta as CallMeta;
    const { db, origin, isLocal } = context;
    if (access.who === 'public') {
      return await next({
        context: {
          ...nobody,
          origin,
          isLocal,
          transaction: <T>(work: (trx: Transaction) => Promise<T>) => transactionAs(db, {}, work),
        },
      });
    }
    const caller = await context.findCaller();
    if (caller === undefined) throw notSignedIn();
    const { userId, apiKey, session } = caller;
    if (context.path !== undefined)
      checkPathInputs(procedure['~orpc'].route.path ?? '/', context.path, input);

    const findMember = async () =>
      access.who === 'member' ? await authorizeMember(db, caller, access, input) : undefined;
    const member = await findMember();
    // A key acts for its organization, not for the person who made it.
    if (apiKey !== undefined && member === undefined) throw forbidden('read', 'all');
    if (recentSignIn && apiKey !== undefined) throw forbidden('manage', 'all');
    if (recentSignIn && !isRecentlySignedIn(caller, new Date())) throw signInAgain();
    const isUnsafe = procedure['~orpc'].route.method !== 'GET';
    if (isUnsafe && member?.membership.status === 'suspended') throw organizationSuspended();

    const organizationId = member?.membership.organizationId;
    const actor = { userId, organizationId, reach: member?.reach };
    const inOwn = <T>(work: (trx: Transaction) => Promise<T>) =>
      transactionInTurn(db, actor, work).catch((error: unknown) => {
        // A row that the limits of this member do not cover was to be written.
        if (actor.reach !== undefined && isRowSecurityViolation(error) && access.who === 'member')
          throw forbidden(...access.needs);
        throw error;
      });
    const notes: AuditNote[] = [];
    const callContext = (transaction: CallContext['transaction']): CallContext => ({
      userId,
      organizationId: organizationId ?? '',
      role: member?.membership.role ?? '',
      rules: member?.membership.rules ?? [],
      may: (...need) => member !== undefined && isAllowed(member.membership, need),
      sessionId: session?.id ?? '',
      origin,
      isLocal,
      transaction,
      note: (note) => notes.push(note),
      confirm: async () => {
        if ((await context.findCaller())?.userId !== userId) throw notSignedIn();
        // What the limits no longer cover is not shown from here on.
        actor.reach = (await findMember())?.reach;
      },
    });

    if (!isUnsafe || ownTransactions) return await next({ context: callContext(inOwn) });
    return await inOwn(async (trx) => {
      const repeatable = {
        userId,
        // A key and its owner do not share answers.
        route: [path.join('.'), apiKey?.id].filter(Boolean).join(' '),
        key: context.idempotencyKey,
        input,
        // An answer is not shown again to a member who is limited otherwise by now.
        reach: actor.reach,
      };
      const first = await findFirstAnswer(trx, repeatable);
      const answering = callContext((work) => work(trx));
      if (first !== undefined) return { output: first.answer, context: answering };
      const result = await next({ context: answering });
      if (organizationId !== undefined) {
        const note = Object.assign({}, describeCall(path, input, result.output), ...notes) as AuditNote;
        await writeAuditEntry(trx, { userId, apiKey, organizationId, origin }, path.join('.'), note);
      }
      await keepAnswer(trx, repeatable, withoutSecrets(result.output, shownOnce));
      return result;
    });
  });

/** Implements the contract: `call.clients.list.handler(…)`. */
export const call = implement(contract).$context<RequestContext>().use(authorize);

const nobody: Omit<CallContext, 'transaction' | 'origin' | 'isLocal'> = {
  userId: '',
  organizationId: '',
  role: '',
  rules: [],
  may: () => false,
  sessionId: '',
  note: () => {},
  confirm: () => Promise.resolve(),
};

/**
 * A field of the body cannot stand in for one of the path: what a call is about is what its address says.
 * @param template as in the contract, `/clients/{id}`
 */
function checkPathInputs(template: string, path: string, input: unknown): void {
  const given = path.split('/');
  for (const [index, part] of template.split('/').entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) continue;
    const value = (input as Record<string, unknown> | undefined)?.[name];
    if (value !== decodePart(given[index] ?? ''))
      throw invalidInput(name, 'This is not an input of this call.');
  }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function authorizeMember(
  db: Database,
  caller: Caller,
  access: MemberAccess,
  input: unknown,
): Promise<{ membership: Membership; reach: { client_ids: string[]; brand_ids: string[] } | undefined }> {
  const key = access.tenant === 'organization_id' ? 'organization_id' : 'id';
  const given =
    typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[key] : undefined;
  if (given === undefined) throw invalidInput(key, 'Say which one.');
  const kind = access.tenant === 'organization_id' ? 'organizations' : access.tenant;
  const membership = await getMembership(db, caller, kind, given);
  return { membership, reach: requireCommonReach(membership, [access.needs, ...access.alsoNeeds]) };
}

const isRowSecurityViolation = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === '42501';

function withoutSecrets(answer: unknown, shownOnce: readonly string[]): unknown {
  if (shownOnce.length === 0 || typeof answer !== 'object' || answer === null) return answer;
  if (Array.isArray(answer)) return answer.map((entry) => withoutSecrets(entry, shownOnce));
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [
      key,
      shownOnce.includes(key) ? null : withoutSecrets(value, shownOnce),
    ]),
  );
}
