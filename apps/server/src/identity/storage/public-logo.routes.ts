import type { FastifyInstance } from 'fastify';
import { createCache } from '../../platform/cache.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { isUuid } from '../../platform/ids.ts';
import { toPng } from './image.ts';
import { registerPublicFiles } from './public-files.ts';
import { findBrandLogos } from './storage.queries.ts';
import { keyOf, parseStoredUrl } from './stored-path.ts';

const address = /^([\da-f-]{36})(-dark)?\.png$/;

/** In pixels: twice the width of a logo in templates, for high-resolution screens. */
const size = 320;
/** Milliseconds until a replaced logo is shown in emails that were sent before. */
const lookUpMs = 60_000;

/**
 * `/l/{brand}.png` and `/l/{brand}-dark.png`: the logo in emails and on pages for their recipients. The URL stays the
 * same when the logo is replaced, so that delivered emails never show a broken image.
 */
export async function registerPublicLogos(
  app: FastifyInstance,
  { db, files }: { db: Database; files: FileStore },
): Promise<void> {
  const findLogos = createCache(1_000, (brandId: string) => findBrandLogos(db, brandId), lookUpMs);
  await registerPublicFiles(app, '/l/:key', {
    find: async (name) => {
      const [, brandId, dark] = address.exec(name) ?? [];
      const logos = isUuid(brandId) ? await findLogos(brandId) : undefined;
      const url = logos?.[dark === undefined ? 'logo_url' : 'dark_logo_url'];
      const stored = parseStoredUrl(url ?? null);
      return stored && { bytes_id: keyOf(stored), type: 'image/png' };
    },
    read: async (key) => {
      const bytes = await files.read(key);
      return bytes && (await toPng(bytes, size));
    },
    // Logos of 320 × 320 pixels take some ten kilobytes, and random noise 400.
    remembered: 50,
    isSmall: true,
  });
}
