import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isInvalidImage } from '../../identity/images/image.ts';
import { createCache } from '../../platform/cache.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { ipPrefixOf } from '../../platform/ip-prefix.ts';
import { readDrawn } from './drawn-images.ts';
import { findPublicImage } from './files.queries.ts';
import { publicKey } from './public-image.ts';
import { settle } from './send-file.ts';

/** Cached images, of at most 5 MB each: all readers of a mailing request its images within minutes. */
const remembered = 10;

/** Each image is in memory until the client has received it, and some clients read nothing. */
const limitOfNetwork = createConcurrencyLimiter({
  bound: 'public images of one network',
  // Of 5 MB each: as many as the share of unread responses of a network has room for.
  maxConcurrent: 12,
  maxQueued: 200,
  maxWaitMs: 20_000,
});

/** Serves `/i/{key}`: an image that was made public, for the readers of emails. */
export function registerPublicImages(
  app: FastifyInstance,
  { db, files }: { db: Database; files: FileStore },
): void {
  // What the public sees of a file never changes.
  const read = createCache(remembered, async (key: string) => {
    const image = await findPublicImage(db, key);
    if (image === undefined) return undefined;
    // Images that were public before they were drawn may be beyond what can be drawn.
    return await readDrawn(files, image).catch((error: unknown) => {
      if (isInvalidImage(error)) return undefined;
      throw error;
    });
  });
  app.get('/i/:key', async (request: FastifyRequest<{ Params: { key: string } }>, reply) => {
    const { key } = request.params;
    const image = publicKey.test(key) ? await findPublicImage(db, key) : undefined;
    if (image === undefined) return await sendNothing(reply);
    const network = ipPrefixOf(request.ip, { ipv4: 32, ipv6: 64 }) ?? request.ip;
    return await limitOfNetwork(network, async () => {
      const bytes = await read(key);
      if (bytes === undefined) return await sendNothing(reply);
      void reply
        .headers({
          'content-type': image.type,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "sandbox; default-src 'none'",
          // Web mail shows it on pages of other origins.
          'cross-origin-resource-policy': 'cross-origin',
          'cache-control': 'public, max-age=3600',
        })
        .send(bytes);
      await settle(reply.raw);
      return reply;
    });
  });
}

const sendNothing = (reply: FastifyReply) => reply.code(404).header('cache-control', 'no-store').send();
