import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { ImportSettings } from '@reachout/contract/content.ts';
import { writeAuditEntry } from '../../identity/access/audit.ts';
import { authorizeRequest } from '../../identity/access/authorize-request.ts';
import { originOf, type Caller } from '../../identity/access/caller.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import type { Access } from '../../identity/access/membership.ts';
import {
  apiError,
  badRequest,
  invalidInput,
  invalidInputs,
  notFound,
} from '../../platform/http/api-error.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { forbidCaching, refuseEncodedBodies, sendApiErrors } from '../../platform/http/request-guards.ts';
import { isUuid } from '../../platform/ids.ts';
import { toCsvLine } from '../../platform/csv-text.ts';
import { withWaitBudget } from '../../platform/wait-budget.ts';
import { maxImportBytes } from './import.ts';
import { findImport, selectRejectedRows } from './imports.queries.ts';
import { receiveImport } from './receive-import.ts';

export interface ImportRoutesDeps {
  db: Database;
  expensiveDb: Database;
  access: Access;
  /** The caller, by session or API key. */
  findCaller: (request: FastifyRequest) => Promise<Caller | undefined>;
}

/**
 * The two operations around CSV imports that stream, and are therefore no operations of the contract: the upload and
 * the download of what was rejected. Register it outside of the scope that takes JSON only, and inside of the one that
 * guards the origin.
 */
export async function registerImportRoutes(app: FastifyInstance, deps: ImportRoutesDeps): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(multipart, {
      throwFileSizeLimit: false,
      limits: { fileSize: maxImportBytes, files: 1, fields: 10, fieldSize: 100_000, headerPairs: 50 },
    });
    forbidCaching(scope);
    refuseEncodedBodies(scope);
    sendApiErrors(scope, (error: Error & { statusCode?: number }) =>
      error.statusCode === 406 || error.statusCode === 415 ? apiError('unsupported_media_type') : error,
    );

    scope.post(
      '/api/content/:organization_id/imports',
      { bodyLimit: maxImportBytes + 1_000_000 },
      (request: UploadRequest, reply) => upload(deps, request, reply),
    );
    // No HEAD: the audit log tells of each download.
    scope.get(
      '/api/content/:organization_id/imports/:id/rejected',
      { exposeHeadRoute: false },
      (request: DownloadRequest, reply) => downloadRejected(deps, request, reply),
    );
  });
}

type UploadRequest = FastifyRequest<{ Params: { organization_id: string } }>;
type DownloadRequest = FastifyRequest<{ Params: { organization_id: string; id: string } }>;

async function upload(deps: ImportRoutesDeps, request: UploadRequest, reply: FastifyReply) {
  const who = await authorizeRequest(deps.access, {
    caller: await deps.findCaller(request),
    record: ['organizations', request.params.organization_id],
    requiredPermissions: [
      ['create', 'Content'],
      ['update', 'Content'],
    ],
    isUnsafe: true,
  });
  const { settings, part } = await readForm(request);
  const response = await receiveImport(deps.db, {
    ...who,
    origin: originOf(request),
    settings,
    fileName: part.filename,
    file: part.file,
    isTruncated: () => part.file.truncated,
  }).catch((error: unknown) => {
    throw error === part.file.errored ? badRequest() : error;
  });
  return await reply.code(202).send(response);
}

async function downloadRejected(deps: ImportRoutesDeps, request: DownloadRequest, reply: FastifyReply) {
  const who = await authorizeRequest(deps.access, {
    caller: await deps.findCaller(request),
    record: ['organizations', request.params.organization_id],
    requiredPermissions: [['read', 'Content']],
    isUnsafe: false,
  });
  const { id } = request.params;
  if (!isUuid(id)) throw notFound();
  const found = await limitedTransaction(deps.db, who, async (trx) => {
    const row = await findImport(trx, who.organizationId, id);
    if (row === undefined) throw notFound();
    // The file contains personal data of contacts: the audit log records each download.
    await writeAuditEntry(trx, { ...who, origin: originOf(request) }, 'content.exportRejected', {
      record_type: 'content_imports',
      record_id: id,
      record_name: row.file_name,
    });
    return row;
  });
  return await reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="rejected-${id}.csv"`)
    .send(Readable.from(rejectedCsv(deps.expensiveDb, who, id, found.settings.header ?? [])));
}

/** @throws 400 `bad_request` for a form that cannot be parsed: errors of the parser have no status */
async function* readParts(request: FastifyRequest): AsyncGenerator<Multipart> {
  try {
    yield* request.parts();
  } catch (error) {
    throw error instanceof Error && 'statusCode' in error ? error : badRequest();
  }
}

/** The settings, and the file as a stream: it has to be the last part, since what follows it is not read. */
async function readForm(request: FastifyRequest): Promise<{ settings: ImportSettings; part: MultipartFile }> {
  if (!request.isMultipart()) throw apiError('unsupported_media_type');
  const given: [string, unknown][] = [];
  for await (const part of readParts(request)) {
    if (part.type === 'field') {
      given.push([part.fieldname, part.fieldname === 'mapping' ? parseMapping(part.value) : part.value]);
      continue;
    }
    if (part.fieldname !== 'file')
      throw invalidInput(part.fieldname, 'This is not an input of this operation.');
    const settings = ImportSettings.safeParse(Object.fromEntries(given));
    if (!settings.success) throw invalidInputs(settings.error);
    return { settings: settings.data, part };
  }
  throw invalidInput('file', 'Choose a file. It comes last, after the settings.');
}

function parseMapping(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    throw invalidInput('mapping', 'This is not JSON.');
  }
}

const pageRows = 500;

/** The rows as they were in the file, and beside each its line and what was wrong with it. */
async function* rejectedCsv(
  db: Database,
  who: { userId: string; organizationId: string },
  importId: string,
  header: readonly string[],
): AsyncGenerator<string> {
  // The byte order mark tells spreadsheets that this is UTF-8.
  yield `\u{feff}${toCsvLine([...header, 'line', 'field', 'reason'])}`;
  for (let afterLine = 0; ;) {
    const page = { afterLine, limit: pageRows };
    const read = (trx: Transaction) => selectRejectedRows(trx, who.organizationId, importId, page);
    const rows = await withWaitBudget(() => limitedTransaction(db, who, read, 'expensive'));
    if (rows.length === 0) return;
    yield rows
      .map((row) =>
        toCsvLine([...fit(row.cells, header.length), String(row.line), row.field ?? '', row.reason]),
      )
      .join('');
    afterLine = rows.at(-1)!.line;
  }
}

/** As many cells as there are headings, so that the columns behind them stay in line. */
const fit = (cells: readonly string[], width: number): string[] =>
  Array.from({ length: width }, (_, index) => cells[index] ?? '');
