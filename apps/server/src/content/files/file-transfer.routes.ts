import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { buckets, maxFileBytes } from '@reachout/contract/rules/storage.ts';
import type { AuthorizedRequest } from '../../identity/access/authorize-request.ts';
import type { RequestOrigin } from '../../identity/access/caller.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import { detectFileType, isShown } from '../../identity/storage/file-type.ts';
import { acceptUploads, isUpload, limitUploads, receiveFile } from '../../identity/storage/receive-file.ts';
import { isUnchanged, limitDownloads, sendFile } from '../../identity/storage/send-file.ts';
import { contentKey } from '../../identity/storage/stored-path.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import { apiError, invalidInput, notFound } from '../../platform/http/api-error.ts';
import { sendUploadErrors } from '../../platform/http/request-guards.ts';
import { isUuid } from '../../platform/ids.ts';
import type { ShownFile } from '../backend/content-files.ts';
import type { DirectusDeps } from '../directus/connection.ts';
import type { DirectusFiles } from '../directus/directus-files.ts';
import { openBackend } from '../gateway/with-content.ts';
import { authorizeFiles } from './authorize-files.ts';
import type { ContentBucketDeps } from './content-buckets.ts';
import { cleanFileName } from './files.ts';
import { findFile, getFile } from './files.queries.ts';
import { toContentFile } from './public-image.ts';
import { readCurrent } from './read-current.ts';
import { storeFile, writeUploadEntry, type NewFile } from './store-file.ts';

export interface FileTransferDeps extends ContentBucketDeps, DirectusDeps {}

/**
 * Registers uploads and downloads of files: they carry bytes, and are therefore not operations of the contract. Call it
 * outside of the scope that accepts JSON only, and inside the one that guards the origin.
 */
export async function registerFileTransfer(app: FastifyInstance, deps: FileTransferDeps): Promise<void> {
  await app.register(async (scope) => {
    await acceptUploads(scope);
    sendUploadErrors(scope);
    scope.post('/api/content/:organization_id/files', isUpload, (request: FileRequest, reply) =>
      upload(deps, request, reply),
    );
    scope.get('/api/content/:organization_id/assets/:id', (request: FileRequest, reply) =>
      download(deps, request, reply),
    );
  });
}

type FileRequest = FastifyRequest<{
  Params: { organization_id: string; id: string };
  Querystring: { download?: unknown; kind?: unknown; brand_id?: unknown };
}>;

/** Concurrent downloads from a Directus delay the requests of its own users. */
const limitOfDirectus = createConcurrencyLimiter({
  bound: 'content downloads from one Directus',
  maxConcurrent: 3,
  maxQueued: 200,
  maxWaitMs: 20_000,
});

const openContent = (deps: FileTransferDeps, who: AuthorizedRequest) =>
  openBackend(deps, who, (work) => limitedTransaction(deps.db, who, work), { isAwaited: true });

async function upload(deps: FileTransferDeps, request: FileRequest, reply: FastifyReply) {
  const who = await authorizeFiles(deps, request, request.params.organization_id, [['create', 'Content']]);
  const { organizationId } = who;
  const stored = await limitUploads({ ...who, ownerId: organizationId }, async () => {
    const received = await receive(request, deps.bodyTimeoutMs);
    // The time limit of a Directus starts here, after the upload was received.
    const open = await openContent(deps, who);
    if (open.kind === 'directus') return () => passOn(deps, who, open.backend.files, received);
    const file = await storeFile(deps, who, received, (trx, id) => getFile(trx, organizationId, id));
    return async () => file;
  });
  const shown = toContentFile(stored, deps.publicUrl);
  return await reply.code(201).header('cache-control', 'no-store').send(shown);
}

/** Uploads a file to a Directus, and writes the audit entry. */
async function passOn(
  { db }: FileTransferDeps,
  who: AuthorizedRequest & { origin: RequestOrigin },
  files: DirectusFiles,
  { bytes, name }: NewFile,
): Promise<ShownFile> {
  const type = detectFileType(bytes);
  const file = await files.uploadFile({ bytes, name: cleanFileName(name, 'file'), type });
  await limitedTransaction(db, who, (trx) => writeUploadEntry(trx, who, file));
  return file;
}

async function download(deps: FileTransferDeps, request: FileRequest, reply: FastifyReply) {
  const { organization_id, id } = request.params;
  const who = await authorizeFiles(deps, request, organization_id, [['read', 'Content']]);
  if (!isUuid(id)) throw notFound();
  const isDownload = request.query.download !== undefined;
  return await limitDownloads(who, async () => {
    const open = await openContent(deps, who);
    if (open.kind === 'directus') {
      const { files } = open.backend;
      request.server.reserveResponse(request, maxFileBytes);
      const { filename_download, bytes } = await limitOfDirectus(who.organizationId, () =>
        files.readFile(id),
      );
      reply.header('cache-control', 'private, max-age=300');
      const type = detectFileType(bytes);
      const file = { type, name: filename_download };
      return await sendFile(reply, file, bytes, { isShown: isShown(type) && !isDownload });
    }
    const find = () => limitedTransaction(deps.db, who, (trx) => findFile(trx, who.organizationId, id));
    const first = await find();
    if (first === undefined) throw notFound();
    // The file can be replaced, and then has other bytes.
    const isKept = isUnchanged(request, reply, first.bytes_id, 'no-cache');
    if (isKept && !isDownload) return await reply.code(304).send();
    const found = await readCurrent(first, find, ({ bytes_id: bytesId, filesize }) => {
      request.server.reserveResponse(request, filesize);
      return deps.files.read(contentKey(who.organizationId, bytesId));
    });
    if (found === undefined) throw notFound();
    const { file, bytes } = found;
    void reply.header('etag', `"${file.bytes_id}"`);
    const shown = { type: file.type, name: file.filename_download };
    return await sendFile(reply, shown, bytes, { isShown: buckets[file.bucket].isShown && !isDownload });
  });
}

/** @throws errors of `receiveFile`; 422 `invalid_image` if an image is required */
async function receive(request: FileRequest, timeoutMs: number): Promise<NewFile> {
  if (!request.isMultipart()) throw apiError('unsupported_media_type');
  const { brand_id: brandId, kind } = request.query;
  if (brandId !== undefined && !isUuid(brandId)) throw invalidInput('brand_id', 'There is no such brand.');
  const { bytes, name = '' } = await receiveFile(request, buckets.documents, timeoutMs);
  if (kind === 'image' && !isShown(detectFileType(bytes))) throw apiError('invalid_image');
  return { bytes, name, brandId };
}
