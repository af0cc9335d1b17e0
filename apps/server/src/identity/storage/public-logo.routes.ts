import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createCache } from '../../platform/cache.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { isUuid } from '../../platform/ids.ts';
import { toPng } from './image.ts';
import { sendFile } from './send-file.ts';
import { findBrandLogos } from './storage.queries.ts';
import { keyOf, type LogoColumn, parseStoredUrl } from './stored-path.ts';

const address = /^([\da-f-]{36})(-dark)?\.png$/;

/**
 * `/l/{brand}.png` and `/l/{brand}-dark.png`: the logo in emails and on pages for their recipients. The URL stays the
 * same when the logo is replaced, so that delivered emails never show a broken image.
 */
export function registerPublicLogos(
  app: FastifyInstance,
  deps: Parameters<typeof createPublicLogos>[0],
): void {
  const read = createPublicLogos(deps);
  app.get('/l/:file', async (request: FastifyRequest<{ Params: { file: string } }>, reply) => {
    const [, brandId, dark] = address.exec(request.params.file) ?? [];
    const png = isUuid(brandId)
      ? await read(brandId, dark === undefined ? 'logo_url' : 'dark_logo_url')
      : undefined;
    if (png === undefined) return await reply.code(404).header('cache-control', 'no-store').send();
    void reply.header('cache-control', 'public, max-age=3600');
    return await sendFile(reply, { type: 'image/png' }, png, { isPublic: true });
  });
}

/** In pixels: twice the width of a logo in templates, for high-resolution screens. */
const size = 320;
/** Number of cached logos. Logos of 320 × 320 pixels take some ten kilobytes, and random noise 400. */
const remembered = 50;
/** Milliseconds until a replaced logo is shown in emails that were sent before. */
const lookUpMs = 60_000;

/**
 * @returns the logo as PNG; undefined for a brand without such a logo, or an unknown one. @throws FileStoreFailure,
 *   LimitExceeded
 */
export type ReadPublicLogo = (brandId: string, column: LogoColumn) => Promise<Buffer | undefined>;

/** Logos of brands for the recipients of their emails, who are not signed in. */
export function createPublicLogos({ db, files }: { db: Database; files: FileStore }): ReadPublicLogo {
  const findLogos = createCache(1_000, (brandId: string) => findBrandLogos(db, brandId), lookUpMs);
  const readPng = createCache(remembered, async (key: string) => {
    const bytes = await files.read(key);
    return bytes && (await toPng(bytes, size));
  });
  return async (brandId, column) => {
    const stored = parseStoredUrl((await findLogos(brandId))?.[column] ?? null);
    return stored && (await readPng(keyOf(stored)));
  };
}
