import type { FastifyRequest } from 'fastify';
import { buckets } from '@reachout/contract/rules/storage.ts';
import { originOf, type Caller } from '../access/caller.ts';
import type { Access } from '../access/membership.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore, StoredFile } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';
import type { BucketHandlers, FileListing } from './bucket-handlers.ts';
import { deleteAvatar, uploadAvatar } from './change-avatar.ts';
import { deleteLogo, uploadLogo, type UpdateLogos } from './change-logo.ts';
import { toStoredImage } from './image.ts';
import {
  getReadableLogo,
  listReadableAvatars,
  listReadableLogos,
  requirePerson,
  requireReadableAvatar,
} from './read-stored.ts';
import { limitUploads, receiveFile, type Uploader } from './receive-file.ts';
import { isUnchanged, sendFile } from './send-file.ts';
import {
  keyOf,
  parseFolder,
  parseStoredPath,
  parseTarget,
  type DrawnBucket,
  type StoredPath,
} from './stored-path.ts';

export interface DrawnDeps {
  db: Database;
  access: Access;
  files: FileStore;
  log: Log;
  updateLogo: UpdateLogos;
  /** The caller, by session or API key. */
  findCaller: (request: FastifyRequest) => Promise<Caller | undefined>;
  /** Time limit in ms for receiving a file, once reading starts. */
  bodyTimeoutMs: number;
}

/** Avatars and logos: images that records show, drawn anew and stored under generated names. */
export function createDrawnBuckets(deps: DrawnDeps): Record<DrawnBucket, BucketHandlers> {
  const { db, files, findCaller, bodyTimeoutMs } = deps;

  const create = (bucket: DrawnBucket): BucketHandlers => {
    const getStored = (path: string): StoredPath => {
      const stored = parseStoredPath(bucket, path);
      if (stored === undefined) throw notFound();
      return stored;
    };
    return {
      async upload(request, path) {
        const target = parseTarget(bucket, path);
        if (target === undefined) throw notFound();
        const caller = await findCaller(request);
        // The slot is kept until the image is drawn, because the body is in memory until then.
        const receive = (uploader: Uploader) =>
          limitUploads(uploader, async () => {
            const { bytes } = await receiveFile(request, buckets[bucket], bodyTimeoutMs);
            const image = await toStoredImage(bytes, uploader.ownerId);
            return () => Promise.resolve(image);
          });
        const stored =
          target.bucket === 'avatars'
            ? await uploadAvatar(deps, caller, receive)
            : await uploadLogo(deps, { caller, origin: originOf(request) }, target, receive);
        return { path: stored.path, url: stored.url };
      },
      async send(request, reply, path) {
        const stored = getStored(path);
        const caller = await findCaller(request);
        if (bucket === 'avatars') await requireReadableAvatar(db, caller, stored);
        else await getReadableLogo(deps, caller, stored);
        if (isUnchanged(request, reply, stored.path, 'max-age=86400')) return await reply.code(304).send();
        const bytes = await files.read(keyOf(stored));
        if (bytes === undefined) throw notFound();
        return await sendFile(reply, { type: 'image/webp' }, bytes);
      },
      async remove(request, path) {
        const stored = getStored(path);
        const caller = await findCaller(request);
        if (bucket === 'avatars') await deleteAvatar(deps, caller, stored);
        else await deleteLogo(deps, { caller, origin: originOf(request) }, stored);
        return stored.path;
      },
      async list(request, listing) {
        const caller = await findCaller(request);
        const prefix = listing.prefix ?? (bucket === 'avatars' ? requirePerson(caller).userId : '');
        const ownerId = parseFolder(prefix);
        if (ownerId === undefined) throw notFound();
        const found =
          bucket === 'avatars'
            ? await listReadableAvatars(deps, caller, ownerId)
            : await listReadableLogos(deps, caller, ownerId);
        return pageOf(found, ownerId, listing);
      },
    };
  };
  return { avatars: create('avatars'), logos: create('logos') };
}

/** A folder has at most a few hundred images. */
function pageOf(
  found: readonly StoredFile[],
  ownerId: string,
  { search = '', page, page_size }: FileListing,
) {
  const matching = found.filter(({ name }) => name.includes(search));
  const items = matching
    .slice(page * page_size, (page + 1) * page_size)
    .map((file) => ({ ...file, path: `${ownerId}/${file.name}`, type: 'image/webp', public_url: null }));
  return { items, count: matching.length };
}
