import { createMongoAbility } from '@casl/ability';
import { implement, os } from '@orpc/server';
import { abilityFor, type Ability } from '@reachout/contract/abilities.ts';
import type { CallMeta } from '@reachout/contract/call.ts';
import { contract } from '@reachout/contract/router.ts';
import {
  forbidden,
  invalidInput,
  notFound,
  notSignedIn,
  organizationSuspended,
} from '../platform/call-error.ts';
import type { Database, Transaction } from '../platform/database/database.ts';
import { isUuid } from '../platform/ids.ts';
import { findMembership } from './membership.queries.ts';
import { findFirstAnswer, keepAnswer } from './idempotency.ts';
import { transactionInTurn } from './transaction-in-turn.ts';

/** What is known of a request before its call is looked at. */
export interface RequestContext {
  db: Database;
  /** From the session; undefined when nobody is signed in. Public calls do not ask. */
  findUserId: () => Promise<string | undefined>;
  idempotencyKey: string | undefined;
  /** The path of an HTTP request, below `/api`; undefined for calls from inside. */
  path?: string | undefined;
}

/** What a handler works with. */
export interface CallContext {
  /** Empty in public calls. */
  userId: string;
  /** The tenant: its members alone get here, and only with the ability that the call needs. Empty in calls without one. */
  organizationId: string;
  ability: Ability;
  role: string;
  /**
   * Runs `work` as this user in this organization. Unsafe calls have one transaction from start to answer, and all
   * uses are part of it; safe ones, and those that declare `ownTransactions`, get a new one for each use.
   */
  transaction: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /**
   * Checks once more that this person may make this call: streams outlive sign-outs, removals and changes of role
   * (SES-4).
   * @throws as the call itself does
   */
  confirm: () => Promise<void>;
}

/**
 * The one mechanism that decides who may make a call, read from its declaration in the contract (TEN-1, TEN-2).
 * In this order: signed in, member of the tenant, ability, organization not suspended. The schema of the input is
 * checked after it, so that strangers learn nothing from validation messages.
 */
const authorize = os
  .$context<RequestContext>()
  .middleware(async ({ context, procedure, path, next }, input) => {
    const { access, ownTransactions } = procedure['~orpc'].meta as CallMeta;
    if (access.who === 'public') return await next({ context: publicContext });
    const { db } = context;
    const userId = await context.findUserId();
    if (userId === undefined) throw notSignedIn();
    if (context.path !== undefined)
      checkPathInputs(procedure['~orpc'].route.path ?? '/', context.path, input);

    const findMember = async () =>
      access.who === 'member' ? await authorizeMember(db, userId, access, input) : undefined;
    const member = await findMember();
    const isUnsafe = procedure['~orpc'].route.method !== 'GET';
    if (isUnsafe && member?.status === 'suspended') throw organizationSuspended();
    const actor = { userId, organizationId: member?.organizationId };
    const inOwn = <T>(work: (trx: Transaction) => Promise<T>) => transactionInTurn(db, actor, work);
    const callContext = (transaction: CallContext['transaction']): CallContext => ({
      userId,
      organizationId: member?.organizationId ?? '',
      role: member?.role ?? '',
      ability: member?.ability ?? nothing,
      transaction,
      confirm: async () => {
        if ((await context.findUserId()) !== userId) throw notSignedIn();
        await findMember();
      },
    });

    if (!isUnsafe || ownTransactions) return await next({ context: callContext(inOwn) });
    return await inOwn(async (trx) => {
      const repeatable = { userId, route: path.join('.'), key: context.idempotencyKey, input };
      const first = await findFirstAnswer(trx, repeatable);
      const answering = callContext((work) => work(trx));
      if (first !== undefined) return { output: first.answer, context: answering };
      const result = await next({ context: answering });
      await keepAnswer(trx, repeatable, result.output);
      return result;
    });
  });

/** Implements the contract: `call.clients.list.handler(…)`. */
export const call = implement(contract).$context<RequestContext>().use(authorize);

const nothing = createMongoAbility<Ability>([]);

const publicContext: CallContext = {
  userId: '',
  organizationId: '',
  role: '',
  ability: nothing,
  transaction: () => Promise.reject(new Error('A public call has no transaction of its own.')),
  confirm: () => Promise.resolve(),
};

/**
 * A field of the body cannot stand in for one of the path: what a call is about is what its address says (TEN-8).
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
  userId: string,
  access: Extract<CallMeta['access'], { who: 'member' }>,
  input: unknown,
) {
  const key = access.tenant === 'organization_id' ? 'organization_id' : 'id';
  const given =
    typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[key] : undefined;
  if (given === undefined) throw invalidInput(key, 'Say which one.');
  // A malformed id answers like an unknown one (TEN-2).
  if (!isUuid(given)) throw notFound();
  const kind = access.tenant === 'organization_id' ? 'organizations' : access.tenant;
  const membership = await transactionInTurn(db, { userId }, (trx) => findMembership(trx, kind, given));
  if (membership === undefined) throw notFound();

  const ability = abilityFor(membership.role);
  const [action, subject] = access.needs;
  if (!ability.can(action, subject)) throw forbidden(action, subject);
  return {
    organizationId: membership.organization_id,
    role: membership.role,
    status: membership.status,
    ability,
  };
}
