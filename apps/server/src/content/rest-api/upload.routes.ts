import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { buckets } from '@reachout/contract/rules/storage.ts';
import { singleLine } from '@reachout/contract/values.ts';
import { originOf } from '../../identity/access/caller.ts';
import { acceptUploads, isUpload, limitUploads, receiveFile } from '../../identity/storage/receive-file.ts';
import { checkBeforeBody, forbidCaching } from '../../platform/http/request-guards.ts';
import { createSystemReader } from '../built-in/system-rows.queries.ts';
import { fileRows } from '../files/files.queries.ts';
import { storeFile, type NewFile } from '../files/store-file.ts';
import { parseBody } from './parse-body.ts';
import { urlQueryOf } from './read-query.ts';
import { requireToken } from './require-token.ts';
import { authorizeRest, findRestCaller } from './rest-caller.ts';
import { forbidden, RestError } from './rest-error.ts';
import type { RestDeps } from './rest-handler.ts';
import { findShareOf } from './share-caller.ts';
import { sendRestErrors } from './send-rest-errors.ts';

/** Registers the upload of files in a separate scope, because all others accept JSON only. */
export async function registerUpload(app: FastifyInstance, deps: RestDeps): Promise<void> {
  await app.register(
    async (scope) => {
      await acceptUploads(scope);
      sendRestErrors(scope);
      forbidCaching(scope);
      checkBeforeBody(scope, (request) => requireToken(deps, request));
      scope.post('/files', isUpload, (request, reply) => upload(deps, request, reply));
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
  const stored = await limitUploads({ ...who, ownerId: organizationId }, async () => {
    const file = await storeFile(
      deps,
      { ...who, origin: originOf(request) },
      await receive(request, deps.bodyTimeoutMs),
      (trx, id) => createSystemReader(trx, fileRows(organizationId)).getItem('directus_files', id),
    );
    return async () => file;
  });
  return await reply.send({ data: stored });
}

/** Display name of a file. */
export const fileTitle = singleLine(200);

/** Reads the first file of a form, with the title if that precedes it. */
async function receive(request: FastifyRequest, timeoutMs: number): Promise<NewFile> {
  if (!request.isMultipart())
    throw new RestError(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data.');
  const { bytes, name = '', fields } = await receiveFile(request, buckets.documents, timeoutMs);
  const { title } = fields;
  return { bytes, name, title: title === undefined ? null : parseBody(fileTitle, title) };
}
