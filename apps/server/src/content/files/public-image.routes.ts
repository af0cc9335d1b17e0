import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createCache } from '../../platform/cache.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { fileKey } from './files.ts';
import { findPublicImage } from './files.queries.ts';
import { publicKey } from './public-image.ts';

/** Images of 5 MB at most; those of a mailing are asked for by all of its readers within minutes. */
const remembered = 10;

/** `/i/{key}`: an image that somebody has made public, for the readers of emails. */
export function registerPublicImages(
  app: FastifyInstance,
  { db, files }: { db: Database; files: FileStore },
): void {
  // The bytes never change under a key of the file store.
  const read = createCache(remembered, (key: string) => files.read(key));
  app.get('/i/:key', async (request: FastifyRequest<{ Params: { key: string } }>, reply) => {
    const { key } = request.params;
    const image = publicKey.test(key) ? await findPublicImage(db, key) : undefined;
    const bytes = image && (await read(fileKey(image.organization_id, image.id)));
    if (bytes === undefined) return await reply.code(404).header('cache-control', 'no-store').send();
    return await reply
      .headers({
        'content-type': image!.type,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        // Web mail shows it on pages of other origins.
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'public, max-age=3600',
      })
      .send(bytes);
  });
}
