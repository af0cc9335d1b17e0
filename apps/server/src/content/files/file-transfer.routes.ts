import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { buckets, isShown, maxFileBytes } from '@reachout/contract/rules/storage.ts';
import type { AuthorizedRequest } from '../../identity/access/membership.ts';
import type { RequestOrigin } from '../../identity/access/caller.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import { detectFileType } from '../../identity/storage/file-type.ts';
import { acceptUploads, receiveUpload } from '../../identity/storage/receive-file.ts';
import { limitDownloads, sendFile, sendStored } from '../../identity/storage/send-file.ts';
import { contentKey } from '../../identity/storage/stored-path.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import { invalidInput, notFound } from '../../platform/http/api-error.ts';
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
import { toContentFile } from './drawn-images.ts';
import { storeFile, writeUploadEntry, type NewFile } from './store-file.ts';

export interface FileTransferDeps extends ContentBucketDeps, DirectusDeps {}

/**
 * Registers uploads and downloads of files: they carry bytes, and are therefore not operations of the contract. Call it
 * outside of the scope that accepts JSON only, and inside the one that guards the origin.
 */
export async function registerFileTransfer(app: FastifyInstance, deps: FileTransferDeps): Promise<void> {
  await app.register(async (scope) => {
    const isUpload = await acceptUploads(scope);
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
  const who = await authorizeFiles(deps, request, request.params.organization_id, 'create');
  const { organizationId } = who;
  const { brand_id: brandId, kind } = request.query;
  if (brandId !== undefined && !isUuid(brandId)) throw invalidInput('brand_id', 'There is no such brand.');
  const rules = buckets[kind === 'image' ? 'images' : 'documents'];
  const receiving = { rules, isForm: true, timeoutMs: deps.bodyTimeoutMs };
  const stored = await receiveUpload(request, who, receiving, async ({ bytes, name = '' }) => {
    // The time limit of a Directus starts here, after the upload was received.
    const open = await openContent(deps, who);
    if (open.kind === 'directus') return () => passOn(deps, who, open.backend.files, { bytes, name });
    const file = { bytes, name, brandId };
    return await storeFile(deps, who, file, (trx, id) => getFile(trx, organizationId, id));
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
  const who = await authorizeFiles(deps, request, organization_id, 'read');
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
    const { organizationId } = who;
    return await sendStored(request, reply, {
      find: () => limitedTransaction(deps.db, who, (trx) => findFile(trx, organizationId, { id })),
      read: ({ bytes_id: bytesId }) => deps.files.read(contentKey(organizationId, bytesId)),
      kept: 'revalidated',
      isDownload,
    });
  });
}
