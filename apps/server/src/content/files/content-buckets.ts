import type { FastifyRequest } from 'fastify';
import { uploadOptions } from '@reachout/contract/file-transfers.ts';
import { buckets, type ContentBucket } from '@reachout/contract/rules/storage.ts';
import type { Action } from '@reachout/contract/abilities.ts';
import { writeAuditEntry } from '../../identity/access/audit.ts';
import { limitedTransaction } from '../../identity/access/limited-transaction.ts';
import type { BucketHandlers } from '../../identity/storage/bucket-handlers.ts';
import { receiveUpload } from '../../identity/storage/receive-file.ts';
import { limitDownloads, sendStored } from '../../identity/storage/send-file.ts';
import {
  contentKey,
  parsePrefix,
  parseStoredPath,
  urlOf,
  wholePath,
  type StoredPath,
} from '../../identity/storage/stored-path.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { invalidInput, invalidInputs, notFound, orNotFound } from '../../platform/http/api-error.ts';
import { denyWithDirectus } from '../directus/deny-with-directus.ts';
import { authorizeFiles, type FileAccess } from './authorize-files.ts';
import { removeBytes, publicUrlOf } from './drawn-images.ts';
import { deleteFile, findFile, getFile, listFilesAt } from './files.queries.ts';
import { storeFile, type FileDeps } from './store-file.ts';

export interface ContentBucketDeps extends FileDeps, FileAccess {
  /** Base URL of the installation. */
  publicUrl: string;
  /** Time limit in ms for receiving a file, once reading starts. */
  bodyTimeoutMs: number;
}

/** The files of organizations in the file storage, at paths that the caller chooses. Only the built-in backend has them. */
export const createContentBuckets = (
  deps: ContentBucketDeps,
): Readonly<Record<ContentBucket, BucketHandlers>> => ({
  images: createContentBucket(deps, 'images'),
  documents: createContentBucket(deps, 'documents'),
});

// oxlint-disable-next-line max-lines-per-function -- a flat list: one handler after the other
function createContentBucket(deps: ContentBucketDeps, bucket: ContentBucket): BucketHandlers {
  const { db, files, log, publicUrl } = deps;
  const rules = buckets[bucket];

  const authorize = async (
    request: FastifyRequest,
    file: StoredPath<ContentBucket> | undefined,
    ...actions: [Action, ...Action[]]
  ) => {
    if (file === undefined) throw notFound();
    const who = await authorizeFiles(deps, request, file.ownerId, ...actions);
    const run = <T>(work: (trx: Transaction) => Promise<T>) =>
      limitedTransaction(db, who, async (trx) => {
        await denyWithDirectus(trx, who.organizationId);
        return await work(trx);
      });
    return { who, file, run };
  };

  return {
    async upload(request, path) {
      const { data: options, error } = uploadOptions.safeParse(request.query);
      const isPublic = options?.public && options.public === 'true';
      const stored = parseStoredPath(bucket, path);
      const { who, file, run } = isPublic
        ? await authorize(request, stored, 'create', 'update')
        : await authorize(request, stored, 'create');
      if (error !== undefined) throw invalidInputs(error);
      if (isPublic && !rules.canBePublic)
        throw invalidInput('public', 'Only a file in the bucket images can be public.');
      // Refuses a connected Directus before the file is received.
      await run(() => Promise.resolve());
      const receiving = { rules, timeoutMs: deps.bodyTimeoutMs };
      const { public_key } = await receiveUpload(request, who, receiving, ({ bytes }) =>
        storeFile(
          deps,
          who,
          {
            bytes,
            name: file.path.slice(file.path.lastIndexOf('/') + 1),
            place: { bucket, path: file.path, isUpsert: options.upsert === 'true' },
            brandId: options.brand_id,
            isPublic,
            action: 'storage.upload',
          },
          (trx, id) => getFile(trx, who.organizationId, id),
        ),
      );
      return {
        path: wholePath(file),
        url: urlOf(file),
        public_url: publicUrlOf(public_key, publicUrl),
      };
    },

    async send(request, reply, path) {
      const { who, file, run } = await authorize(request, parseStoredPath(bucket, path), 'read');
      const { organizationId } = who;
      return await limitDownloads(who, () =>
        sendStored(request, reply, {
          find: () => run((trx) => findFile(trx, organizationId, file)),
          read: ({ bytes_id: bytesId }) => files.read(contentKey(organizationId, bytesId)),
          kept: 'revalidated',
        }),
      );
    },

    async remove(request, path) {
      const { who, file, run } = await authorize(request, parseStoredPath(bucket, path), 'delete');
      const { organizationId } = who;
      const removed = await run(async (trx) => {
        const deleted = orNotFound(await deleteFile(trx, organizationId, file));
        await writeAuditEntry(trx, who, 'storage.delete', {
          record_type: 'content',
          record_id: deleted.id,
          record_name: deleted.filename_download,
        });
        return deleted;
      });
      await removeBytes({ files, log }, organizationId, [removed.bytes_id]);
      return wholePath(file);
    },

    async list(request, { prefix = '', ...page }) {
      const { who, file, run } = await authorize(request, parsePrefix(bucket, prefix), 'read');
      const { organizationId } = who;
      const { items, count } = await run((trx) => listFilesAt(trx, organizationId, file, page));
      return {
        items: items.map(({ path, filename_download, type, filesize, date_created, public_key }) => ({
          path: wholePath({ ...file, path }),
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
