import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { buckets } from '@reachout/contract/rules/storage.ts';
import { singleLine } from '@reachout/contract/values.ts';
import { originOf } from '../../identity/access/caller.ts';
import { acceptUploads, receiveUpload } from '../../identity/storage/receive-file.ts';
import { checkBeforeBody, forbidCaching } from '../../platform/http/request-guards.ts';
import { createSystemReader } from '../built-in/system-rows.queries.ts';
import { fileRows } from '../files/files.queries.ts';
import { storeFile } from '../files/store-file.ts';
import { parseBody, type RestDeps } from './rest-handler.ts';
import { urlQueryOf } from './read-query.ts';
import { requireToken, authorizeRest, findRestCaller, findShareOf } from './rest-caller.ts';
import { forbidden, sendRestErrors } from './rest-error.ts';

/** Registers the upload of files in a separate scope, because all others accept JSON only. */
export async function registerUpload(app: FastifyInstance, deps: RestDeps): Promise<void> {
  await app.register(
    async (scope) => {
      const isUpload = await acceptUploads(scope);
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
  const receiving = { rules: buckets.documents, isForm: true, timeoutMs: deps.bodyTimeoutMs };
  const stored = await receiveUpload(request, who, receiving, ({ bytes, name = '', fields }) => {
    const title = fields['title'] === undefined ? null : parseBody(fileTitle, fields['title']);
    return storeFile(deps, { ...who, origin: originOf(request) }, { bytes, name, title }, (trx, id) =>
      createSystemReader(trx, fileRows(organizationId)).getItem('directus_files', id),
    );
  });
  return await reply.send({ data: stored });
}

/** Display name of a file. */
export const fileTitle = singleLine(200);
