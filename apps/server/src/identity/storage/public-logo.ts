import { createCache } from '../../platform/cache.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { toPng } from './image.ts';
import { findBrandLogos } from './storage.queries.ts';
import { keyOf, parseStoredUrl, type LogoColumn } from './stored-path.ts';

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
