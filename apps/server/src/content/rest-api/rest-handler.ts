import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Permission } from '@reachout/contract/operation.ts';
import { collectionName } from '@reachout/contract/values.ts';
import { writeAuditEntry } from '../../identity/access/audit.ts';
import { originOf } from '../../identity/access/caller.ts';
import { denyBeyondScope, limitedTransaction } from '../../identity/access/limited-transaction.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { isPlatformCollection, type ContentBackend } from '../backend/content-backend.ts';
import { createBuiltInBackend } from '../built-in/built-in-backend.ts';
import { parseUrlQuery } from './read-query.ts';
import { authorizeRest, findRestCaller, type RestCallers } from './rest-caller.ts';
import { forbidden } from './rest-error.ts';
import { collectionOf } from './speak-directus.ts';

export interface RestDeps extends RestCallers {
  db: Database;
  expensiveDb: Database;
}

/** An authorized request, within its transaction. */
export interface RestRequest {
  trx: Transaction;
  backend: ContentBackend;
  organizationId: string;
  /** Of the path; empty where the path has none. */
  collection: string;
  key: string;
  query: Record<string, unknown>;
  body: unknown;
  /** Whether the token may read content, too: what is written is shown to those alone. */
  canRead: boolean;
  /** Which items were written, for the audit log. */
  noteItems: (keys: readonly string[]) => void;
}

/** What is sent: JSON that is ready, a value under `data`, or nothing (204). */
export type RestResponse = { json: string } | { data: unknown } | undefined;

interface HandlerOptions {
  permission: Permission;
  /** What the audit log says; undefined for what only reads. */
  action?: string;
}

/** Authorizes a request, runs it in one transaction, and writes down what it changed. */
export const createRestHandler =
  (deps: RestDeps) =>
  ({ permission, action }: HandlerOptions, work: (request: RestRequest) => Promise<RestResponse>) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const query = parseUrlQuery(request.url.split('?').slice(1).join('?'));
    const caller = await findRestCaller(deps, request, query);
    const who = await authorizeRest(deps, caller, permission);
    const collection = checkCollection(collectionOf(request));
    const run = async (trx: Transaction): Promise<RestResponse> => {
      const notes: string[] = [];
      const response = await work({
        trx,
        backend: createBuiltInBackend(trx, who),
        organizationId: who.organizationId,
        collection,
        key: (request.params as { key?: string }).key ?? '',
        query,
        body: request.body,
        canRead: who.can('read', 'Content'),
        noteItems: (keys) => notes.push(...keys),
      });
      if (action !== undefined && notes.length > 0) {
        await writeAuditEntry(trx, { ...who, origin: originOf(request) }, action, {
          record_type: 'content',
          ...(notes.length === 1 ? { record_id: notes[0] } : {}),
          details: { collection, ...(notes.length === 1 ? {} : { items: notes.length }) },
        });
      }
      return response;
    };
    // One item is quick to write; lists, and what is read, may take long.
    const isExpensive =
      action === undefined || Array.isArray(request.body) || !('key' in asObject(request.params));
    const response = await (
      isExpensive
        ? limitedTransaction(deps.expensiveDb, who, run, 'expensive')
        : limitedTransaction(deps.db, who, run)
    ).catch(denyBeyondScope(who, permission));
    if (response === undefined) return await reply.code(204).send();
    if ('json' in response) return await reply.type('application/json; charset=utf-8').send(response.json);
    return await reply.send(response);
  };

/** The platform's own collections have operations, permissions and rules of their own: here they are not there. */
function checkCollection(collection: string | undefined): string {
  if (collection === undefined) return '';
  if (!collectionName.safeParse(collection).success || isPlatformCollection(collection)) throw forbidden();
  return collection;
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});
