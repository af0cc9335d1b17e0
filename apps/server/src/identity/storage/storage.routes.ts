import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Bucket, ContentBucket } from '@reachout/contract/rules/storage.ts';
import { invalidInputs, notFound } from '../../platform/http/api-error.ts';
import { forbidCaching, sendUploadErrors } from '../../platform/http/request-guards.ts';
import { FileListing, type BucketHandlers } from './bucket-handlers.ts';
import { createDrawnBuckets, type DrawnDeps } from './drawn-buckets.ts';
import { acceptUploads, isUpload } from './receive-file.ts';

export interface StorageDeps extends DrawnDeps {
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
    ...createDrawnBuckets(deps),
    ...contentBuckets,
  };
  const find = (request: FastifyRequest) => {
    const [bucket, path] = rawParts(request);
    if (!Object.hasOwn(handlersOf, bucket)) throw notFound();
    return { bucket, path, handlers: handlersOf[bucket as Bucket] };
  };
  await app.register(async (scope) => {
    await acceptUploads(scope);
    forbidCaching(scope);
    sendUploadErrors(scope);

    const upload = async (request: FastifyRequest, reply: FastifyReply) => {
      const { bucket, path, handlers } = find(request);
      return await reply.code(201).send({ bucket, ...(await handlers.upload(request, path)) });
    };
    // The reference describes these two on their own, and knows only addresses that have a route.
    scope.post('/api/storage/avatars/me', isUpload, upload);
    scope.post('/api/storage/logos/brands/:id/dark', isUpload, upload);
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
      const { data: listing, error } = FileListing.safeParse(request.query);
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
