import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { singleLine } from '@reachout/contract/values.ts';
import { writeAuditEntry } from '../../identity/access/audit.ts';
import { originOf } from '../../identity/access/caller.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import { forbidCaching, refuseEncodedBodies } from '../../platform/http/request-guards.ts';
import { newId } from '../../platform/ids.ts';
import { createSystemReader } from '../built-in/system-rows.queries.ts';
import { detectFileType } from '../files/file-type.ts';
import { addFile, cleanFileName, fileKey, maxFileBytes } from '../files/files.ts';
import { fileRows } from '../files/files.queries.ts';
import { parseBody } from './parse-body.ts';
import { parseUrlQuery } from './read-query.ts';
import { authorizeRest, findRestCaller } from './rest-caller.ts';
import { forbidden, invalidPayload, RestError } from './rest-error.ts';
import type { RestDeps } from './rest-handler.ts';
import { findShareOf } from './share-caller.ts';
import { speakDirectus } from './speak-directus.ts';

/** Files are in memory while they come in: so many at once, of one organization two. */
const limitOfOrganization = createConcurrencyLimiter({
  bound: 'content uploads of one organization',
  maxConcurrent: 2,
  maxQueued: 20,
  maxWaitMs: 20_000,
});
const limitOfAll = createConcurrencyLimiter({
  bound: 'content uploads',
  maxConcurrent: 8,
  maxQueued: 100,
  maxWaitMs: 20_000,
});

/** The upload of a file: in a scope of its own, since all others take JSON only. */
export async function registerUpload(app: FastifyInstance, deps: RestDeps): Promise<void> {
  await app.register(
    async (scope) => {
      await scope.register(multipart, {
        throwFileSizeLimit: false,
        limits: { fileSize: maxFileBytes, files: 1, fields: 20, fieldSize: 10_000, headerPairs: 50 },
      });
      speakDirectus(scope);
      forbidCaching(scope);
      refuseEncodedBodies(scope);
      scope.post('/files', { bodyLimit: maxFileBytes + 1_000_000 }, (request, reply) =>
        upload(deps, request, reply),
      );
    },
    { prefix: '/content/:organization_id' },
  );
}

async function upload(deps: RestDeps, request: FastifyRequest, reply: FastifyReply) {
  const query = parseUrlQuery(request.url.split('?').slice(1).join('?'));
  if ((await findShareOf(deps, request, query)) !== undefined) throw forbidden();
  const who = await authorizeRest(deps, await findRestCaller(deps, request, query), [['create', 'Content']]);
  if (who.accessScope !== undefined) throw forbidden();
  const { organizationId } = who;
  return await limitOfOrganization(organizationId, () =>
    limitOfAll('', async () => {
      const { bytes, name, title } = await receive(request);
      const id = newId();
      const key = fileKey(organizationId, id);
      await deps.files.write(key, bytes);
      const file = {
        id,
        filename_download: cleanFileName(name),
        title,
        type: detectFileType(bytes),
        filesize: bytes.length,
        user_created: who.userId,
      };
      const stored = await limitedTransaction(deps.db, who, async (trx) => {
        await addFile(trx, organizationId, file);
        await writeAuditEntry(trx, { ...who, origin: originOf(request) }, 'content.upload', {
          record_type: 'content',
          record_id: id,
          record_name: file.filename_download,
          details: { bytes: bytes.length },
        });
        return await createSystemReader(trx, fileRows(organizationId)).getItem('directus_files', id);
      }).catch(async (error: unknown) => {
        await deps.files.remove(key);
        throw error;
      });
      return await reply.send({ data: stored });
    }),
  );
}

/** How people call a file. */
export const fileTitle = singleLine(200);

/** The first file of a form, with the title that came before it. @throws RestError 400, 413, 415 */
async function receive(
  request: FastifyRequest,
): Promise<{ bytes: Buffer; name: string; title: string | null }> {
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
