import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isInvalidImage } from '../../identity/storage/image.ts';
import { limitPublicDownloads, sendFile } from '../../identity/storage/send-file.ts';
import { createCache } from '../../platform/cache.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { readDrawn } from './drawn-images.ts';
import { findPublicImage } from './files.queries.ts';
import { publicKey } from './public-image.ts';
import { readCurrent } from './read-current.ts';

/** Cached images, of at most 5 MB each: all readers of a mailing request its images within minutes. */
const remembered = 10;

/** Serves `/i/{key}`: an image that was made public, for the readers of emails. */
export function registerPublicImages(
  app: FastifyInstance,
  { db, files }: { db: Database; files: FileStore },
): void {
  // What the public sees of these bytes never changes; others can follow them at the address.
  const read = createCache(remembered, async (key: string) => {
    const [organization_id = '', bytes_id = ''] = key.split('/');
    // Images that were public before they were drawn may be beyond what can be drawn.
    return await readDrawn(files, { organization_id, bytes_id }).catch((error: unknown) => {
      if (isInvalidImage(error)) return undefined;
      throw error;
    });
  });
  app.get('/i/:key', async (request: FastifyRequest<{ Params: { key: string } }>, reply) => {
    const { key } = request.params;
    const find = async () => (publicKey.test(key) ? await findPublicImage(db, key) : undefined);
    const first = await find();
    if (first === undefined) return await sendNothing(reply);
    return await limitPublicDownloads(request, 'public', async () => {
      const found = await readCurrent(first, find, (image) =>
        read(`${image.organization_id}/${image.bytes_id}`),
      );
      if (found === undefined) return await sendNothing(reply);
      request.server.reserveResponse(request, found.bytes.length);
      void reply.header('cache-control', 'public, max-age=3600');
      return await sendFile(reply, found.file, found.bytes, { isPublic: true });
    });
  });
}

const sendNothing = (reply: FastifyReply) => reply.code(404).header('cache-control', 'no-store').send();
