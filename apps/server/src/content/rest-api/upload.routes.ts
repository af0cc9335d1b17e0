import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { maxFileBytes } from '@reachout/contract/content-files.ts';
import { singleLine } from '@reachout/contract/values.ts';
import { originOf } from '../../identity/access/caller.ts';
import { checkBeforeBody, forbidCaching, refuseEncodedBodies } from '../../platform/http/request-guards.ts';
import { createSystemReader } from '../built-in/system-rows.queries.ts';
import { fileRows } from '../files/files.queries.ts';
import { limitUploads, storeFile, type ReceivedFile } from '../files/store-file.ts';
import { parseBody } from './parse-body.ts';
import { urlQueryOf } from './read-query.ts';
import { requireToken } from './require-token.ts';
import { authorizeRest, findRestCaller } from './rest-caller.ts';
import { forbidden, invalidPayload, RestError } from './rest-error.ts';
import type { RestDeps } from './rest-handler.ts';
import { findShareOf } from './share-caller.ts';
import { sendRestErrors } from './send-rest-errors.ts';

/** Registers the upload of files in a separate scope, because all others accept JSON only. */
export async function registerUpload(app: FastifyInstance, deps: RestDeps): Promise<void> {
  await app.register(
    async (scope) => {
      await scope.register(multipart, {
        throwFileSizeLimit: false,
        limits: { fileSize: maxFileBytes, files: 1, fields: 20, fieldSize: 10_000, headerPairs: 50 },
      });
      sendRestErrors(scope);
      forbidCaching(scope);
      refuseEncodedBodies(scope);
      checkBeforeBody(scope, (request) => requireToken(deps, request));
      scope.post(
        '/files',
        { bodyLimit: maxFileBytes + 1_000_000, config: { isUpload: true } },
        (request, reply) => upload(deps, request, reply),
      );
    },
    { prefix: '/content/:organization_id' },
  );
}

async function upload(deps: RestDeps, request: FastifyRequest, reply: FastifyReply) {
  const query = urlQueryOf(request);
  if ((await findShareOf(deps, request, query)) !== undefined) throw forbidden();
  const who = await authorizeRest(deps, await findRestCaller(deps, request, query), [['create', 'Content']]);
  if (who.accessScope !== undefined) throw forbidden();
  const { organizationId } = who;
  const stored = await limitUploads(who, async () => {
    const file = await storeFile(
      deps,
      { ...who, origin: originOf(request) },
      await receive(request),
      (trx, id) => createSystemReader(trx, fileRows(organizationId)).getItem('directus_files', id),
    );
    return async () => file;
  });
  return await reply.send({ data: stored });
}

/** Display name of a file. */
export const fileTitle = singleLine(200);

/** Reads the first file of a form, with the title if that precedes it. @throws RestError 400, 413, 415 */
async function receive(request: FastifyRequest): Promise<ReceivedFile> {
  if (!request.isMultipart())
    throw new RestError(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data.');
  let title: string | null = null;
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      if (part.fieldname === 'title') title = parseBody(fileTitle, part.value);
      continue;
    }
    return { bytes: await readBytes(part), name: part.filename, title };
  }
  throw invalidPayload('There is no file in the form.');
}

async function readBytes(part: MultipartFile): Promise<Buffer> {
  const bytes = await part.toBuffer();
  if (part.file.truncated)
    throw new RestError(413, 'CONTENT_TOO_LARGE', `A file can have at most ${maxFileBytes / 1_000_000} MB.`);
  if (bytes.length === 0) throw invalidPayload('The file is empty.');
  return bytes;
}
