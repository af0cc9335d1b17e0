import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart';
import { ORPCError } from '@orpc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ImportSettings } from '@reachout/contract/content-imports.ts';
import { authorizeRequest } from '../../identity/access/authorize-request.ts';
import { originOf, type Caller } from '../../identity/access/caller.ts';
import { inTransaction, operations } from '../../identity/access/operations.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import type { Access } from '../../identity/access/membership.ts';
import { apiError, badRequest, invalidInput, invalidInputs } from '../../platform/http/api-error.ts';
import type { Database } from '../../platform/database/database.ts';
import { forbidCaching, refuseEncodedBodies, sendUploadErrors } from '../../platform/http/request-guards.ts';
import type { Log } from '../../platform/log.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { maxImportBytes } from './import.ts';
import { getImport, listImports } from './imports.ts';
import { dropImport, startCheckedImport } from './start-import.ts';
import { findRemoteCollection } from './remote-collection.ts';
import { receiveImport } from './receive-import.ts';

export interface ImportRoutesDeps extends DirectusDeps {
  db: Database;
  log: Log;
  access: Access;
  /** The caller, by session or API key. */
  findCaller: (request: FastifyRequest) => Promise<Caller | undefined>;
}

/**
 * The upload of a file, which the contract cannot declare. Register it outside the JSON-only scope and inside the scope that
 * guards the origin.
 */
export async function registerImportRoutes(app: FastifyInstance, deps: ImportRoutesDeps): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(multipart, {
      throwFileSizeLimit: false,
      limits: { fileSize: maxImportBytes, files: 1, fields: 20, fieldSize: 100_000, headerPairs: 50 },
    });
    forbidCaching(scope);
    refuseEncodedBodies(scope);
    sendUploadErrors(scope);

    scope.post(
      '/api/content/:organization_id/imports',
      { bodyLimit: maxImportBytes + 1_000_000, config: { isUpload: true } },
      (request: UploadRequest, reply) => upload(deps, request, reply),
    );
  });
}

type UploadRequest = FastifyRequest<{ Params: { organization_id: string } }>;

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
  const remote = await findRemoteCollection(
    deps,
    who,
    (work) => limitedTransaction(deps.db, who, work),
    settings,
  ).catch(noSuchCollection);
  const response = await receiveImport(deps, {
    ...who,
    remote,
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

/** Reports a missing collection as invalid input of the import. */
function noSuchCollection(error: unknown): never {
  throw error instanceof ORPCError && error.code === 'not_found'
    ? invalidInput('collection', 'There is no such collection.')
    : error;
}

/** @throws 400 `bad_request` for a malformed form: errors of the parser have no status */
async function* readParts(request: FastifyRequest): AsyncGenerator<Multipart> {
  try {
    yield* request.parts();
  } catch (error) {
    throw error instanceof Error && 'statusCode' in error ? error : badRequest();
  }
}

/** Reads the settings and returns the file as a stream. The file must be the last part: parts after it are not read. */
async function readForm(request: FastifyRequest): Promise<{ settings: ImportSettings; part: MultipartFile }> {
  if (!request.isMultipart()) throw apiError('unsupported_media_type');
  const given: [string, unknown][] = [];
  for await (const part of readParts(request)) {
    if (part.type === 'field') {
      const isJson = jsonFields.has(part.fieldname);
      given.push([part.fieldname, isJson ? parseJson(part.fieldname, part.value) : part.value]);
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

const jsonFields = new Set(['mapping', 'new_fields', 'reject_fields', 'consent']);

function parseJson(field: string, value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    throw invalidInput(field, 'This is not JSON.');
  }
}

/** The operations on imports that the contract declares. */
export const importOperations = {
  imports: inTransaction(operations.content.imports, async (trx, { client_id }, context) => ({
    data: await listImports(trx, context.organizationId, client_id),
  })),
  startImport: inTransaction(operations.content.startImport, async (trx, input, { organizationId, note }) => {
    const started = await startCheckedImport(trx, { organizationId, importId: input.id });
    note({ record_name: started.file_name });
    return started;
  }),
  cancelImport: inTransaction(
    operations.content.cancelImport,
    async (trx, input, { organizationId, note }) => {
      const { fileName } = await dropImport(trx, { organizationId, importId: input.id });
      note({ record_name: fileName });
      return { id: input.id };
    },
  ),
  getImport: inTransaction(operations.content.getImport, (trx, input, context) =>
    getImport(trx, context.organizationId, input.id),
  ),
};
