import { createCache } from '../../platform/cache.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';
import { toThumbnail } from './image.ts';
import { keyOf, parseStoredUrl } from './stored-path.ts';

const size = 96;
/** Logos of 96 × 96 pixels have a few kilobytes, and noise without any pattern 10. */
const maxBytes = 14_000;

/** At most 4 MB. A file never changes under its address. */
const remembered = 200;

/** Takes organizations.logo_url. Returns null without a logo, or when it cannot be read now: a logo is only decoration. */
export type ShowLogo = (logoUrl: string | null) => Promise<string | null>;

/**
 * Shows an organization's logo to people who are no members yet, such as those who were invited, as a data: URL of at most
 * 20 kB: the file itself is for members only.
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
