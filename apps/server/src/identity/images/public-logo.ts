import { createCache } from '../../platform/cache.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { toPng } from './image.ts';
import { findBrandLogos } from './storage.queries.ts';
import { keyOf, parseStoredUrl, type LogoColumn } from './stored-path.ts';

/** Twice the width that templates give a logo, for sharp screens. */
const size = 320;
/** Logos of 320 × 320 pixels have some ten kilobytes, and noise without any pattern 400. */
const remembered = 50;
/** After that time a replaced logo shows in emails that were sent before. */
const lookUpMs = 60_000;

/** As PNG; undefined for a brand without such a logo, and for an unknown one. @throws FileStoreFailure, LimitExceeded */
export type ReadPublicLogo = (brandId: string, column: LogoColumn) => Promise<Buffer | undefined>;

/** Logos of brands for the readers of their emails, who are not signed in. */
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
