import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { originOf, type Caller } from '../access/caller.ts';
import type { Access } from '../access/membership.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { forbidCaching, refuseEncodedBodies, sendApiErrors } from '../../platform/http/request-guards.ts';
import type { Log } from '../../platform/log.ts';
import { deleteAvatar, uploadAvatar } from './change-avatar.ts';
import { deleteLogo, uploadLogo, type UpdateLogos } from './change-logo.ts';
import {
  getReadableLogo,
  listReadableAvatars,
  listReadableLogos,
  requirePerson,
  requireReadableAvatar,
} from './read-stored.ts';
import { receiveImage, type Uploader } from './receive-image.ts';
import {
  isBucket,
  keyOf,
  parseFolder,
  parseStoredPath,
  parseTarget,
  type StoredPath,
} from './stored-path.ts';

export interface StorageDeps {
  db: Database;
  access: Access;
  files: FileStore;
  log: Log;
  updateLogo: UpdateLogos;
  /** The caller, by session or API key. */
  findCaller: (request: FastifyRequest) => Promise<Caller | undefined>;
  /** Time limit in ms for receiving an image, once reading starts. */
  bodyTimeoutMs: number;
}

/**
 * Avatars and logos: these requests carry images, and are therefore not operations of the contract. Register the routes
 * outside the scope that accepts only JSON, and inside the scope that checks the origin.
 */
export async function registerStorageRoutes(app: FastifyInstance, deps: StorageDeps): Promise<void> {
  await app.register(async (scope) => {
    // Bodies are read only once the caller is known.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    forbidCaching(scope);
    refuseEncodedBodies(scope);
    sendApiErrors(scope);

    const upload = async (request: FastifyRequest, reply: FastifyReply) => {
      const target = parseTarget(...rawParts(request));
      if (target === undefined) throw notFound();
      const caller = await deps.findCaller(request);
      const receive = (uploader: Uploader) => receiveImage(request, uploader, deps.bodyTimeoutMs);
      const stored =
        target.bucket === 'avatars'
          ? await uploadAvatar(deps, caller, receive)
          : await uploadLogo(deps, { caller, origin: originOf(request) }, target, receive);
      const { bucket, path, url } = stored;
      return await reply.code(201).send({ bucket, path, url });
    };
    const isUpload = { config: { isUpload: true } };
    scope.post('/api/storage/avatars/me', isUpload, upload);
    scope.post('/api/storage/logos/brands/:id/dark', isUpload, upload);
    scope.post('/api/storage/:bucket/*', isUpload, upload);
    scope.get('/api/storage/:bucket/*', async (request, reply) => {
      const stored = getStoredPath(request);
      const caller = await deps.findCaller(request);
      if (stored.bucket === 'avatars') await requireReadableAvatar(deps.db, caller, stored);
      else await getReadableLogo(deps, caller, stored);
      if (request.headers['if-none-match'] === versionOf(stored)) {
        return await allowCaching(reply, stored).code(304).send();
      }
      const bytes = await deps.files.read(keyOf(stored));
      if (bytes === undefined) throw notFound();
      return await sendImage(allowCaching(reply, stored), bytes);
    });
    scope.delete('/api/storage/:bucket/*', async (request, reply) => {
      const stored = getStoredPath(request);
      const caller = await deps.findCaller(request);
      if (stored.bucket === 'avatars') await deleteAvatar(deps, caller, stored);
      else await deleteLogo(deps, { caller, origin: originOf(request) }, stored);
      return await reply.send({ bucket: stored.bucket, path: stored.path });
    });
    scope.get<{ Params: { bucket: string }; Querystring: { prefix?: unknown } }>(
      '/api/storage/:bucket',
      async (request, reply) => {
        const { bucket } = request.params;
        if (!isBucket(bucket)) throw notFound();
        const caller = await deps.findCaller(request);
        const prefix = request.query.prefix ?? (bucket === 'avatars' ? requirePerson(caller).userId : '');
        const ownerId = typeof prefix === 'string' ? parseFolder(prefix) : undefined;
        if (ownerId === undefined) throw notFound();
        const files =
          bucket === 'avatars'
            ? await listReadableAvatars(deps, caller, ownerId)
            : await listReadableLogos(deps, caller, ownerId);
        const items = files.map((file) => ({ ...file, path: `${ownerId}/${file.name}` }));
        return await reply.send({ items, count: items.length });
      },
    );
  });
}

/** Not decoded: stored paths need no escapes, so a path with one is unknown. */
function rawParts(request: FastifyRequest): [bucket: string, path: string] {
  const [, bucket = '', path = ''] = /^\/api\/storage\/([^/?]*)\/([^?]*)/.exec(request.raw.url ?? '') ?? [];
  return [bucket, path];
}

function getStoredPath(request: FastifyRequest): StoredPath {
  const stored = parseStoredPath(...rawParts(request));
  if (stored === undefined) throw notFound();
  return stored;
}

/** The content at a path never changes. */
const versionOf = ({ path }: StoredPath): string => `"${path}"`;

const allowCaching = (reply: FastifyReply, stored: StoredPath): FastifyReply =>
  reply.header('cache-control', 'private, max-age=86400').header('etag', versionOf(stored));

/**
 * The content was encoded here; even so, the headers keep browsers from running it, sniffing its type or sharing it
 * with other sites.
 */
const sendImage = (reply: FastifyReply, bytes: Buffer) =>
  reply
    .header('content-type', 'image/webp')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('cross-origin-resource-policy', 'same-origin')
    .send(bytes);
