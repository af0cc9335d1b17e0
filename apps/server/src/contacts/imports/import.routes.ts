import type { MultipartFile } from '@fastify/multipart';
import { ORPCError } from '@orpc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ImportSettings } from '@reachout/contract/content-imports.ts';
import { maxImportBytes } from '@reachout/contract/rules/storage.ts';
import { authorizeRequest, type Access } from '../../identity/access/membership.ts';
import { originOf, type Caller } from '../../identity/access/caller.ts';
import { inTransactions, operations } from '../../identity/access/operations.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import { acceptUploads, openForm, refuseBroken } from '../../identity/storage/receive-file.ts';
import { badRequest, invalidInput, invalidInputs } from '../../platform/http/api-error.ts';
import type { Database } from '../../platform/database/database.ts';
import { forbidCaching, sendUploadErrors } from '../../platform/http/request-guards.ts';
import type { Log } from '../../platform/log.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
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
    const isUpload = await acceptUploads(scope, { maxBytes: maxImportBytes, fieldSize: 100_000 });
    forbidCaching(scope);
    sendUploadErrors(scope);
    scope.post('/api/content/:organization_id/imports', isUpload, (request: UploadRequest, reply) =>
      upload(deps, request, reply),
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

/** Reads the settings and returns the file as a stream. The file must be the last part: parts after it are not read. */
async function readForm(request: FastifyRequest): Promise<{ settings: ImportSettings; part: MultipartFile }> {
  const { fields, part } = await openForm(request, maxImportBytes).catch(refuseBroken);
  const given = Object.entries(fields).map(([name, value]) => [
    name,
    jsonFields.has(name) ? parseJson(name, value) : value,
  ]);
  const { data: settings, error } = ImportSettings.safeParse(Object.fromEntries(given));
  if (error !== undefined) throw invalidInputs(error);
  return { settings, part };
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
export const importOperations = inTransactions(operations.content, {
  imports: async (trx, { client_id }, context) => ({
    data: await listImports(trx, context.organizationId, client_id),
  }),
  startImport: async (trx, input, { organizationId, note }) => {
    const started = await startCheckedImport(trx, { organizationId, importId: input.id });
    note({ record_name: started.file_name });
    return started;
  },
  cancelImport: async (trx, input, { organizationId, note }) => {
    const { fileName } = await dropImport(trx, { organizationId, importId: input.id });
    note({ record_name: fileName });
    return { id: input.id };
  },
  getImport: (trx, input, context) => getImport(trx, context.organizationId, input.id),
});
