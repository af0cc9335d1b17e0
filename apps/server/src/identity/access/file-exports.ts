import type { InferSchemaOutput } from '@orpc/contract';
import { fileExports } from '@reachout/contract/file-exports.ts';
import type { Permission } from '@reachout/contract/operation.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Database, Transaction, Actor } from '../../platform/database/database.ts';
import { invalidInput, invalidInputs, notFound, notSignedIn } from '../../platform/http/api-error.ts';
import { forbidCaching, sendApiErrors } from '../../platform/http/request-guards.ts';
import { toStartedStream } from '../../platform/http/started-stream.ts';
import { writeAuditEntry, type AuditNote } from './audit.ts';
import { authorizeRequest, type AuthorizedRequest, type Access } from './membership.ts';
import { originOf, type Caller } from './caller.ts';
import { checkPathInputs } from './check-path-inputs.ts';
import { limitedTransaction } from './limited-transaction.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import { withWaitBudget } from '../../platform/wait-budget.ts';

export interface FileExportDeps {
  /** One connection pool for each workload. */
  db: Database;
  expensiveDb: Database;
  access: Access;
  /** The caller, by session or API key. */
  findCaller: (request: FastifyRequest) => Promise<Caller | undefined>;
}

export interface ExportContext {
  who: AuthorizedRequest;
  /** Runs `work` as the caller, within the access scope of the permissions. */
  transaction: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /** Like `transaction`, for the pages of the file. */
  readPage: ReadPage;
  /** The context for a part of the file that needs other permissions, within their access scope. */
  within: (...permissions: [Permission, ...Permission[]]) => Promise<ExportContext>;
}

export interface ExportedFile {
  /** In ASCII, such as `audit-log.csv`. */
  name: string;
  /** The name in other letters, for browsers that know it. */
  fullName?: string;
  /** By default CSV in UTF-8. */
  type?: string;
  /** The first is the heading, or what precedes all that has to be read. */
  pieces: AsyncGenerator<string | Buffer>;
  /** For the entry in the audit log. */
  note: AuditNote;
}

type Exports = typeof fileExports;
type ExportName = keyof Exports;
type Input<Name extends ExportName> = InferSchemaOutput<NonNullable<Exports[Name]['~orpc']['inputSchema']>>;

/** Registers the route of an export. */
type FileExport = (scope: FastifyInstance, deps: FileExportDeps) => void;

/**
 * Implements an export. Its declaration says who may have the file, and with which input.
 * @param open  what differs between exports; what it throws is the response
 */
export const fileExport =
  <Name extends ExportName>(
    name: Name,
    open: (input: Input<Name>, context: ExportContext) => Promise<ExportedFile>,
  ): FileExport =>
  (scope, deps) => {
    const { path = '/' } = fileExports[name]['~orpc'].route;
    // No HEAD route, because the audit log records each request as a download.
    const options = { exposeHeadRoute: false };
    scope.get(`/api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, options, async (request, reply) => {
      const { context, input } = await authorize(name, deps, request);
      const { who } = context;
      const file = await open(input as Input<Name>, context);
      const stream = await toStartedStream(file.pieces);
      const note = (trx: Transaction) =>
        writeAuditEntry(trx, { ...who, origin: originOf(request) }, name, file.note);
      await limitedTransaction(deps.db, who, note).catch((error: unknown) => {
        stream.destroy();
        throw error;
      });
      // RFC 6266, section 4.3: the file name in UTF-8.
      const fullName =
        file.fullName === undefined ? '' : `; filename*=UTF-8''${encodeURIComponent(file.fullName)}`;
      return await reply
        .type(file.type ?? 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${file.name}"${fullName}`)
        .send(stream);
    });
  };

/** Serves exports. Register it inside the scope that guards the origin. */
export async function registerFileExports(
  app: FastifyInstance,
  deps: FileExportDeps,
  all: readonly FileExport[],
): Promise<void> {
  await app.register(async (scope) => {
    forbidCaching(scope);
    sendApiErrors(scope);
    for (const register of all) register(scope, deps);
  });
}

/** The same rules in the same order as for operations: `authorize` in operations.ts. */
async function authorize(name: ExportName, deps: FileExportDeps, request: FastifyRequest) {
  const { meta, route, inputSchema } = fileExports[name]['~orpc'];
  const { access, isExpensive } = meta;
  if (access.who !== 'member') throw new Error(`${name} is for members.`);
  const caller = await deps.findCaller(request);
  if (caller === undefined) throw notSignedIn();
  const given = { ...(request.params as object), ...(request.query as object) } as Record<string, unknown>;
  const { tenant, tenantInput, permission, additionalPermissions } = access;
  checkPathInputs(route.path ?? '/', request.url.replace(/^\/api|\?.*$/g, ''), given);
  const id = given[tenantInput];
  if (id === undefined) throw invalidInput(tenantInput, 'Say which one.');
  const record = [tenant === 'organization_id' ? 'organizations' : tenant, id] as const;

  const within = async (...requiredPermissions: [Permission, ...Permission[]]): Promise<ExportContext> => {
    const who = await authorizeRequest(deps.access, {
      caller,
      record,
      requiredPermissions,
      isUnsafe: false,
    });
    return {
      who,
      transaction: (work) =>
        isExpensive
          ? limitedTransaction(deps.expensiveDb, who, work, 'expensive')
          : limitedTransaction(deps.db, who, work),
      readPage: createPageReader(deps.expensiveDb, who),
      within,
    };
  };
  const context = await within(permission, ...additionalPermissions);
  const { data: input, error } = (inputSchema as z.ZodType).safeParse(given);
  if (error === undefined) return { context, input };
  // No record has such an address.
  if (error.issues.some(({ path: [field] }) => route.path?.includes(`{${String(field)}}`))) throw notFound();
  throw invalidInputs(error);
}

/**
 * Reads the pages of a list, each after the last row of the previous one.
 * @param limit  rows of a page
 */
export async function* readPages<Row>(
  readPage: ReadPage,
  limit: number,
  list: (trx: Transaction, page: { last: Row | undefined; limit: number }) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ;) {
    const rows = await readPage((trx) => list(trx, { last, limit }));
    yield rows;
    if (rows.length < limit) return;
    last = rows.at(-1);
  }
}

/** Maximum wait of one page. */
const patienceMs = 60_000;
const pauseMs = 500;

export type ReadPage = <T>(read: (trx: Transaction) => Promise<T>) => Promise<T>;

/**
 * Reads the pages of an export, each in its own transaction, so that a slow client holds no connection. While the first one
 * is read, the response can still be an error; the later ones wait for their turn, because the file would break off.
 * @throws LimitExceeded
 */
export function createPageReader(db: Database, who: Actor): ReadPage {
  let isFirst = true;
  return async (read) => {
    const end = isFirst ? 0 : performance.now() + patienceMs;
    isFirst = false;
    for (;;) {
      try {
        return await withWaitBudget(() => limitedTransaction(db, who, read, 'expensive'));
      } catch (error) {
        if (!(error instanceof LimitExceeded) || performance.now() > end) throw error;
        await delay(pauseMs);
      }
    }
  };
}
