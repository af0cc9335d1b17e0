import { createCache } from '../../platform/cache.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';
import { toThumbnail } from './image.ts';
import { keyOf, parseStoredUrl } from './stored-path.ts';

const size = 96;
/** Logos of 96 × 96 pixels take a few kilobytes, and random noise 10. */
const maxBytes = 14_000;

/** Number of cached logos, at most 4 MB. The file at a URL never changes. */
const remembered = 200;

/** Takes organizations.logo_url. Returns null without a logo, or if it cannot be read: a logo is only decoration. */
export type ShowLogo = (logoUrl: string | null) => Promise<string | null>;

/**
 * Shows an organization's logo to users who are not members yet, such as invited ones, as a data: URL of at most 20 kB:
 * only members may read the file itself.
 */
export function createShowLogo({ files, log }: { files: FileStore; log: Log }): ShowLogo {
  const show = createCache<string, string>(remembered, async (key) => {
    const bytes = await files.read(key);
    if (bytes === undefined) return undefined;
    const small = await toThumbnail(bytes, size);
    return small.length > maxBytes ? undefined : `data:image/webp;base64,${small.toString('base64')}`;
  });
  return async (logoUrl) => {
    const stored = parseStoredUrl(logoUrl);
    try {
      return stored === undefined ? null : ((await show(keyOf(stored))) ?? null);
    } catch (error) {
      log.warn({ err: error }, 'a logo cannot be shown');
      return null;
    }
  };
}
