import type { ContactRules } from '../backend/contact-rules.ts';
import { ORPCError } from '@orpc/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Action } from '@reachout/contract/abilities.ts';
import type { Permission } from '@reachout/contract/operation.ts';
import { itemErrors } from '@reachout/contract/rules/item-errors.ts';
import { collectionName } from '@reachout/contract/values.ts';
import { writeAuditEntry, type AuditNote } from '../../identity/access/audit.ts';
import { originOf, type Caller } from '../../identity/access/caller.ts';
import type { AuthorizedRequest } from '../../identity/access/membership.ts';
import { denyBeyondScope, limitedTransaction } from '../../identity/access/limited-transaction.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { isPlatformCollection, type ContentBackend } from '../backend/content-backend.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';
import { createBuiltInBackend } from '../built-in/built-in-backend.ts';
import type { ShareDeps } from '../shares/shares.ts';
import { guardPlatformItems, canUseCollection, permissionsOn } from './platform-items.ts';
import { urlQueryOf } from './read-query.ts';
import {
  authorizeRest,
  findRestCaller,
  findShareOf,
  readAsShare,
  type FindCaller,
  type RestCallers,
} from './rest-caller.ts';
import { forbidden, incompleteCall, collectionOf, invalidPayload } from './rest-error.ts';
import { noteOfItems } from './write-items.ts';
import type { z } from 'zod';
import { describeIssues } from '../../platform/http/api-error.ts';

export interface RestDeps extends RestCallers, ShareDeps {
  /** Like `findCaller`, before the body is read. */
  findCallerEarly: FindCaller;
  expensiveDb: Database;
  contacts: ContactRules;
  /** Uploaded files. */
  files: FileStore;
  log: Log;
  /** Time limit in ms for receiving a file, once reading starts. */
  bodyTimeoutMs: number;
}

/** An authorized request, within its transaction. */
export interface RestRequest {
  trx: Transaction;
  backend: ContentBackend;
  organizationId: string;
  who: AuthorizedRequest;
  /** From the path; empty if the path has none. */
  collection: string;
  key: string;
  query: Record<string, unknown>;
  body: unknown;
  /** Whether the token may also read what it writes; if not, every response is an empty 204. */
  canRead: boolean;
  /** Adds the keys of written items to the audit log. */
  noteItems: (keys: readonly string[]) => void;
  /** Adds an entry to the audit log for a record that is not an item. */
  note: (note: AuditNote) => void;
}

/** The response: serialized JSON, a value under `data`, or nothing (204). */
export type RestResponse = { json: string } | { data: unknown } | undefined;

interface HandlerOptions {
  permission: Permission;
  /** The action in the audit log; undefined for reads. */
  action?: string;
  /** Makes the request expensive even if the path names one item. */
  isExpensive?: boolean;
  /** Whether share tokens are accepted, each for its own item only. */
  opensToShares?: boolean;
  /** Whether content tokens of members are accepted, for the items that they created. */
  opensToMembers?: boolean;
}

/** Authorizes a request, and runs it in one transaction together with its audit entries. */
export const createRestHandler =
  (deps: RestDeps) =>
  (options: HandlerOptions, work: (request: RestRequest) => Promise<RestResponse>) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const { permission, action, isExpensive: isDeclared, opensToShares = false } = options;
    const query = urlQueryOf(request);
    const share = await findShareOf(deps, request, query);
    if (share !== undefined) {
      if (!opensToShares) throw forbidden();
      return await reply.send(await readAsShare(deps, request, { share, query }));
    }
    const caller = await findRestCaller(deps, request, query);
    const named = collectionOf(request) ?? '';
    const { who, canRead } = await authorize(deps, caller, options, named);
    checkPath(request);
    const collection = checkCollection(who, named, permission[0]);
    const run = async (trx: Transaction): Promise<RestResponse> => {
      const itemKeys: string[] = [];
      const notes: AuditNote[] = [];
      const builtIn = createBuiltInBackend(trx, { ...who, contacts: deps.contacts });
      const response = await work({
        trx,
        backend: isPlatformCollection(collection)
          ? guardPlatformItems(trx, who.organizationId, builtIn)
          : builtIn,
        organizationId: who.organizationId,
        who,
        collection,
        key: (request.params as { key?: string }).key ?? '',
        query,
        body: request.body,
        canRead,
        noteItems: (keys) => itemKeys.push(...keys),
        note: (note) => notes.push(note),
      });
      const by = { ...who, origin: originOf(request) };
      if (action !== undefined)
        for (const note of [...notes, ...(itemKeys.length === 0 ? [] : [noteOfItems(collection, itemKeys)])])
          await writeAuditEntry(trx, by, action, { record_type: 'content', ...note });
      return response;
    };
    // Writing one item is quick; writing lists, and reading, may take long.
    const isExpensive =
      isDeclared === true ||
      action === undefined ||
      Array.isArray(request.body) ||
      !('key' in asObject(request.params));
    const response = await (
      isExpensive
        ? limitedTransaction(deps.expensiveDb, who, run, 'expensive')
        : limitedTransaction(deps.db, who, run)
    ).catch(denyBeyondScope(who, permission));
    // As Directus does.
    if (response === undefined || !canRead) return await reply.code(204).send();
    if ('json' in response) return await reply.type('application/json; charset=utf-8').send(response.json);
    return await reply.send(response);
  };

/** Adds the permission to read if the token has it; a request then sees and changes only what both permissions cover. */
async function authorize(
  deps: RestDeps,
  caller: Caller | undefined,
  { permission, opensToMembers = false }: HandlerOptions,
  collection: string,
) {
  const [action] = permission;
  const needed = [permission, ...permissionsOn(collection, action)] as const;
  if (action === 'read')
    return { who: await authorizeRest(deps, caller, needed, { opensToMembers }), canRead: true };
  try {
    const reading = [['read', 'Content'] as const, ...permissionsOn(collection, 'read')];
    return { who: await authorizeRest(deps, caller, [...needed, ...reading]), canRead: true };
  } catch (error) {
    if (!(error instanceof ORPCError) || error.code !== 'forbidden') throw error;
    return { who: await authorizeRest(deps, caller, needed), canRead: false };
  }
}

/** @throws 403 if the token may not read: whether a query matches reveals the values of items */
export function requireRead({ canRead }: Pick<RestRequest, 'canRead'>): void {
  if (!canRead) throw forbidden();
}

/** @throws RestError 400 for a path that ends where a collection or a key belongs */
function checkPath({ params }: FastifyRequest): void {
  for (const part of ['key', 'collection'] as const)
    if (Reflect.get(asObject(params), part) === '') throw incompleteCall(itemErrors[part]);
}

/** @throws 403 for a collection that does not exist for the token */
function checkCollection(who: AuthorizedRequest, collection: string, action: Action): string {
  if (collection === '') return '';
  const isName = collectionName.safeParse(collection).success;
  if (!isName || !canUseCollection(who, collection, action)) throw forbidden();
  return collection;
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** @throws RestError 400 `INVALID_PAYLOAD`, with the first issue */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: '', message: 'This is not valid.' }] = describeIssues(
    parsed.error.issues,
  );
  const lacking = Object.values(itemErrors).find((text) => text === message);
  if (lacking !== undefined) throw incompleteCall(lacking);
  throw invalidPayload(path === '' ? message : `${path}: ${message}`);
}
