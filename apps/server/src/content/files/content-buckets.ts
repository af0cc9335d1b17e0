import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { buckets, type ContentBucket } from '@reachout/contract/rules/storage.ts';
import { id } from '@reachout/contract/values.ts';
import type { Permission } from '@reachout/contract/operation.ts';
import { writeAuditEntry } from '../../identity/access/audit.ts';
import type { AuthorizedRequest } from '../../identity/access/authorize-request.ts';
import type { RequestOrigin } from '../../identity/access/caller.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import type { BucketHandlers } from '../../identity/storage/bucket-handlers.ts';
import {
  parseFilePath,
  parsePrefix,
  urlOfPath,
  wholePath,
  type FilePath,
} from '../../identity/storage/file-path.ts';
import { limitUploads, receiveFile } from '../../identity/storage/receive-file.ts';
import { removeUnused } from '../../identity/storage/remove-files.ts';
import { isUnchanged, limitDownloads, sendFile } from '../../identity/storage/send-file.ts';
import { contentKey } from '../../identity/storage/stored-path.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { invalidInput, invalidInputs, notFound } from '../../platform/http/api-error.ts';
import type { ShownFile } from '../backend/content-files.ts';
import { denyWithDirectus } from '../directus/deny-with-directus.ts';
import { authorizeFiles, type FileAccess } from './authorize-files.ts';
import { keysOf } from './drawn-images.ts';
import { deleteFileAt, findFileAt, getFile, listFilesAt, type FilePlace } from './files.queries.ts';
import { publicUrlOf } from './public-image.ts';
import { readCurrent } from './read-current.ts';
import { storeFile, type FileDeps } from './store-file.ts';

export interface ContentBucketDeps extends FileDeps, FileAccess {
  /** Base URL of the installation. */
  publicUrl: string;
  /** Time limit in ms for receiving a file, once reading starts. */
  bodyTimeoutMs: number;
}

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const UploadOptions = z.strictObject({
  upsert: flag.optional(),
  public: flag.optional(),
  brand_id: id.optional(),
});

/** The files of organizations in the file storage, at paths that the caller chooses. Only the built-in backend has them. */
export const createContentBuckets = (
  deps: ContentBucketDeps,
): Readonly<Record<ContentBucket, BucketHandlers>> => ({
  images: createContentBucket(deps, 'images'),
  documents: createContentBucket(deps, 'documents'),
});

function createContentBucket(deps: ContentBucketDeps, bucket: ContentBucket): BucketHandlers {
  const { db, files, log, publicUrl } = deps;
  const rules = buckets[bucket];

  const authorize = async (
    request: FastifyRequest,
    file: FilePath | undefined,
    permissions: readonly [Permission, ...Permission[]],
  ) => {
    if (file === undefined) throw notFound();
    const who = await authorizeFiles(deps, request, file.organizationId, permissions);
    const place = { bucket, path: file.path };
    const run = <T>(work: (trx: Transaction) => Promise<T>) =>
      limitedTransaction(db, who, async (trx) => {
        await denyWithDirectus(trx, who.organizationId);
        return await work(trx);
      });
    return { who, file, place, run };
  };

  return {
    async upload(request, path) {
      const { data: options, error } = UploadOptions.safeParse(request.query);
      const isPublic = options?.public === true;
      const { who, file, place, run } = await authorize(
        request,
        parseFilePath(path),
        isPublic
          ? [
              ['create', 'Content'],
              ['update', 'Content'],
            ]
          : [['create', 'Content']],
      );
      if (error !== undefined) throw invalidInputs(error);
      if (isPublic && !rules.canBePublic)
        throw invalidInput('public', 'Only a file in the bucket images can be public.');
      // Refuses a connected Directus before the file is received.
      await run(() => Promise.resolve());
      const { public_key } = await uploadTo(deps, place, who, request, options);
      return {
        path: wholePath(file),
        url: urlOfPath(bucket, file),
        public_url: publicUrlOf(public_key, publicUrl),
      };
    },

    async send(request, reply, path) {
      const { who, place, run } = await authorize(request, parseFilePath(path), [['read', 'Content']]);
      const { organizationId } = who;
      return await limitDownloads(who, async () => {
        const find = () => run((trx) => findFileAt(trx, organizationId, place));
        const first = await find();
        if (first === undefined) throw notFound();
        // The file at a path can be replaced, and then has other bytes.
        if (isUnchanged(request, reply, first.bytes_id, 'no-cache')) return await reply.code(304).send();
        const found = await readCurrent(first, find, ({ bytes_id: bytesId, filesize }) => {
          request.server.reserveResponse(request, filesize);
          return files.read(contentKey(organizationId, bytesId));
        });
        if (found === undefined) throw notFound();
        const { bytes_id: bytesId, type, filename_download: name } = found.file;
        void reply.header('etag', `"${bytesId}"`);
        return await sendFile(reply, { type, name }, found.bytes, { isShown: rules.isShown });
      });
    },

    async remove(request, path) {
      const { who, file, place, run } = await authorize(request, parseFilePath(path), [
        ['delete', 'Content'],
      ]);
      const { organizationId } = who;
      const removed = await run(async (trx) => {
        const deleted = await deleteFileAt(trx, organizationId, place);
        if (deleted === undefined) throw notFound();
        await writeAuditEntry(trx, who, 'storage.delete', {
          record_type: 'content',
          record_id: deleted.id,
          record_name: deleted.filename_download,
        });
        return deleted;
      });
      await removeUnused(
        { files, log },
        keysOf({ organization_id: organizationId, bytes_id: removed.bytes_id }),
      );
      return wholePath(file);
    },

    async list(request, { prefix = '', ...page }) {
      const { who, place, run } = await authorize(request, parsePrefix(prefix), [['read', 'Content']]);
      const { organizationId } = who;
      const { items, count } = await run((trx) => listFilesAt(trx, organizationId, place, page));
      return {
        items: items.map(({ path, filename_download, type, filesize, date_created, public_key }) => ({
          path: wholePath({ organizationId, path }),
          name: filename_download,
          bytes: filesize,
          type,
          updated_at: date_created,
          public_url: publicUrlOf(public_key, publicUrl),
        })),
        count,
      };
    },
  };
}

/** Receives a file and stores it at this place. */
const uploadTo = (
  deps: ContentBucketDeps,
  place: FilePlace,
  who: AuthorizedRequest & { origin: RequestOrigin },
  request: FastifyRequest,
  { upsert: isUpsert = false, public: isPublic, brand_id: brandId }: z.infer<typeof UploadOptions>,
): Promise<ShownFile> =>
  limitUploads({ ...who, ownerId: who.organizationId }, async () => {
    const { bytes } = await receiveFile(request, buckets[place.bucket], deps.bodyTimeoutMs);
    const stored = await storeFile(
      deps,
      who,
      {
        bytes,
        name: nameOf(place.path),
        place: { ...place, isUpsert },
        brandId,
        isPublic,
        action: 'storage.upload',
      },
      (trx, fileId) => getFile(trx, who.organizationId, fileId),
    );
    return () => Promise.resolve(stored);
  });

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
