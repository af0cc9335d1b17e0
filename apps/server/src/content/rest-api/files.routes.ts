import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { singleLine } from '@reachout/contract/values.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import { isUuid } from '../../platform/ids.ts';
import { createSystemReader } from '../built-in/system-rows.queries.ts';
import { limitDownloads, sendStored } from '../../identity/storage/send-file.ts';
import { contentKey } from '../../identity/storage/stored-path.ts';
import { removeBytes } from '../files/drawn-images.ts';
import { cleanFileName } from '../files/files.ts';
import { deleteFile, fileRows, findFile, updateFile } from '../files/files.queries.ts';
import { parseBody, createRestHandler, type RestDeps, type RestRequest } from './rest-handler.ts';
import { picker, readItems } from './read-items.ts';
import { urlQueryOf, readQuery } from './read-query.ts';
import { authorizeRest, findRestCaller, findShareOf } from './rest-caller.ts';
import { forbidden } from './rest-error.ts';
import { fileTitle } from './upload.routes.ts';

const collection = 'directus_files';

const Changes = z.looseObject({
  title: fileTitle.nullable().optional(),
  filename_download: singleLine(200)
    .min(1)
    .transform((name) => cleanFileName(name, 'file'))
    .optional(),
});

/** Files as rows, and their bytes. They belong to the whole organization: members with a limited scope have no access. */
export function registerFiles(scope: FastifyInstance, deps: RestDeps): void {
  const handle = createRestHandler(deps);
  const reading = { permission: ['read', 'Content'] } as const;

  scope.get(
    '/files',
    handle(reading, (request) => readItems(readerOf(request), collection, readQuery(request.query))),
  );
  scope.get(
    '/files/:key',
    handle(reading, (request) => one(request)),
  );
  scope.patch(
    '/files/:key',
    handle({ permission: ['update', 'Content'], action: 'content.updateFile' }, async (request) => {
      const id = idOf(request);
      const { title, filename_download } = parseBody(Changes, request.body);
      const changes = {
        ...(title === undefined ? {} : { title }),
        ...(filename_download === undefined ? {} : { filename_download }),
      };
      if (!(await updateFile(request.trx, request.organizationId, id, changes))) throw forbidden();
      request.note({ record_id: id });
      return await one(request);
    }),
  );
  scope.delete('/files/:key', async (request, reply) => {
    let removed: { organizationId: string; bytesId: string } | undefined;
    await handle({ permission: ['delete', 'Content'], action: 'content.deleteFile' }, async (rest) => {
      const id = idOf(rest);
      const file = await deleteFile(rest.trx, rest.organizationId, { id });
      if (file === undefined) throw forbidden();
      rest.note({ record_id: id, record_name: file.filename_download });
      removed = { organizationId: rest.organizationId, bytesId: file.bytes_id };
      return undefined;
    })(request, reply);
    if (removed !== undefined) await removeBytes(deps, removed.organizationId, [removed.bytesId]);
  });
  for (const path of ['/assets/:key', '/assets/:key/:name'])
    scope.get(path, (request, reply) => sendAsset(deps, request, reply));
}

const readerOf = ({ trx, organizationId, who }: RestRequest) => {
  if (who.accessScope !== undefined) throw forbidden();
  return createSystemReader(trx, fileRows(organizationId));
};

function idOf({ key, who }: RestRequest): string {
  if (!isUuid(key) || who.accessScope !== undefined) throw forbidden();
  return key.toLowerCase();
}

async function one(request: RestRequest) {
  const reader = readerOf(request);
  const pick = await picker(reader, collection, readQuery(request.query).fields);
  return { data: pick(await reader.getItem(collection, idOf(request))) };
}

async function sendAsset(deps: RestDeps, request: FastifyRequest, reply: FastifyReply) {
  const query = urlQueryOf(request);
  if ((await findShareOf(deps, request, query)) !== undefined) throw forbidden();
  const who = await authorizeRest(deps, await findRestCaller(deps, request, query), [['read', 'Content']]);
  const { key } = request.params as { key: string };
  if (!isUuid(key) || who.accessScope !== undefined) throw forbidden();
  const { organizationId } = who;
  return await limitDownloads(who, () =>
    sendStored(request, reply, {
      find: () => limitedTransaction(deps.db, who, (trx) => findFile(trx, organizationId, { id: key })),
      read: ({ bytes_id: bytesId }) => deps.files.read(contentKey(organizationId, bytesId)),
      kept: 'never',
      isDownload: query['download'] !== undefined,
    }),
  );
}
