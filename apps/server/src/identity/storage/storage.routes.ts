import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fileListing } from '@reachout/contract/file-transfers.ts';
import {
  imageKinds,
  uploadPathOf,
  buckets,
  type Bucket,
  type ContentBucket,
  type DrawnBucket,
} from '@reachout/contract/rules/storage.ts';
import { invalidInputs, notFound, forbidden, orNotFound } from '../../platform/http/api-error.ts';
import { forbidCaching, sendUploadErrors } from '../../platform/http/request-guards.ts';
import type { BucketHandlers } from './bucket-handlers.ts';
import { acceptUploads, receiveUpload } from './receive-file.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';
import { originOf, type Caller } from '../access/caller.ts';
import { toStoredImage } from './image.ts';
import {
  authorizeChange,
  getReadable,
  listReadable,
  requirePerson,
  type RecordImageDeps,
} from './record-images.ts';
import { sendStored } from './send-file.ts';
import { removeReplaced, storeImage } from './store-image.ts';
import { keyOf, parsePrefix, parseStoredPath, parseTarget, urlOf, wholePath } from './stored-path.ts';

export interface StorageDeps extends ImageBucketDeps {
  /** The buckets of modules above this one. */
  contentBuckets: Readonly<Record<ContentBucket, BucketHandlers>>;
}

/**
 * The file storage: these requests carry files, and are therefore not operations of the contract. Register the routes
 * outside the scope that accepts only JSON, and inside the scope that checks the origin.
 */
export async function registerStorageRoutes(
  app: FastifyInstance,
  { contentBuckets, ...deps }: StorageDeps,
): Promise<void> {
  const handlersOf: Readonly<Record<Bucket, BucketHandlers>> = {
    avatars: createImageBucket(deps, 'avatars'),
    logos: createImageBucket(deps, 'logos'),
    ...contentBuckets,
  };
  const find = (request: FastifyRequest) => {
    const [bucket, path] = rawParts(request);
    if (!Object.hasOwn(handlersOf, bucket)) throw notFound();
    return { bucket, path, handlers: handlersOf[bucket as Bucket] };
  };
  await app.register(async (scope) => {
    const isUpload = await acceptUploads(scope);
    forbidCaching(scope);
    sendUploadErrors(scope);

    const upload = async (request: FastifyRequest, reply: FastifyReply) => {
      const { bucket, path, handlers } = find(request);
      return await reply.code(201).send({ bucket, ...(await handlers.upload(request, path)) });
    };
    // The reference describes these on their own, and knows only addresses that have a route.
    for (const kind of imageKinds) scope.post(`/api/${uploadPathOf(kind, ':id')}`, isUpload, upload);
    scope.post('/api/storage/:bucket/*', isUpload, upload);
    scope.get('/api/storage/:bucket/*', async (request, reply) => {
      const { path, handlers } = find(request);
      return await handlers.send(request, reply, path);
    });
    scope.delete('/api/storage/:bucket/*', async (request, reply) => {
      const { bucket, path, handlers } = find(request);
      return await reply.send({ bucket, path: await handlers.remove(request, path) });
    });
    scope.get('/api/storage/:bucket', async (request, reply) => {
      const { handlers } = find(request);
      const { data: listing, error } = fileListing.safeParse(request.query);
      // A prefix that was sent twice is no folder.
      if (error?.issues.some(({ path }) => path[0] === 'prefix')) throw notFound();
      if (error !== undefined) throw invalidInputs(error);
      return await reply.send(await handlers.list(request, listing));
    });
  });
}

/** Not decoded: each path has one spelling, so a path with another one is unknown. */
function rawParts(request: FastifyRequest): [bucket: string, path: string] {
  const [, bucket = '', path = ''] = /^\/api\/storage\/([^/?]*)\/?([^?]*)/.exec(request.raw.url ?? '') ?? [];
  return [bucket, path];
}

interface ImageBucketDeps extends RecordImageDeps {
  files: FileStore;
  log: Log;
  /** The caller, by session or API key. */
  findCaller: (request: FastifyRequest) => Promise<Caller | undefined>;
  /** Time limit in ms for receiving a file, once reading starts. */
  bodyTimeoutMs: number;
}

/** Images that records show, drawn anew and stored under generated names. */
function createImageBucket(deps: ImageBucketDeps, bucket: DrawnBucket): BucketHandlers {
  const { files, log, findCaller, bodyTimeoutMs } = deps;

  const getStored = (path: string) => {
    return orNotFound(parseStoredPath(bucket, path));
  };
  return {
    async upload(request, path) {
      const target = orNotFound(parseTarget(bucket, path));
      const who = { caller: await findCaller(request), origin: originOf(request) };
      const { ownerId, userId, findUse, replace } = await authorizeChange(deps, who, target);
      const receiving = { rules: buckets[bucket], timeoutMs: bodyTimeoutMs };
      // The slot is kept until the image is drawn.
      const image = await receiveUpload(
        request,
        { userId, organizationId: ownerId },
        receiving,
        ({ bytes }) => toStoredImage(bytes, ownerId),
      );
      const stored = await storeImage(files, log, { bucket, ownerId, image, findUse, refer: replace });
      return { path: wholePath(stored), url: urlOf(stored) };
    },

    async send(request, reply, path) {
      const stored = getStored(path);
      const caller = await findCaller(request);
      return await sendStored(request, reply, {
        find: async () => {
          await getReadable(deps, caller, stored);
          return { bytes_id: wholePath(stored), type: 'image/webp' };
        },
        read: () => files.read(keyOf(stored)),
        kept: 'day',
      });
    },

    async remove(request, path) {
      const stored = getStored(path);
      const caller = await findCaller(request);
      const target = await getReadable(deps, caller, stored);
      const who = { caller, origin: originOf(request) };
      // The caller may see the record, but not change it.
      const { replace } = await authorizeChange(deps, who, target, (subject) => forbidden('update', subject));
      await replace(null, urlOf(stored));
      await removeReplaced(files, log, urlOf(stored));
      return wholePath(stored);
    },

    async list(request, { prefix, search = '', page, page_size }) {
      const caller = await findCaller(request);
      const folder = orNotFound(
        parsePrefix(bucket, prefix ?? (bucket === 'avatars' ? requirePerson(caller).userId : '')),
      );
      const shown = new Set(await listReadable(deps, caller, folder));
      // A folder has at most a few hundred images.
      const found = await files.list(`${bucket}/${folder.ownerId}`);
      const matching = found.filter(
        ({ name }) => name.includes(search) && shown.has(urlOf({ ...folder, path: name })),
      );
      const items = matching.slice(page * page_size, (page + 1) * page_size).map((file) => ({
        ...file,
        path: wholePath({ ...folder, path: file.name }),
        type: 'image/webp',
        public_url: null,
      }));
      return { items, count: matching.length };
    },
  };
}
