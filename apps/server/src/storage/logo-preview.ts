import type { FileStore } from '../platform/file-store.ts';
import { toThumbnail } from './image.ts';
import { keyOf, parseStoredUrl } from './stored-path.ts';

const size = 96;
/** A logo of 96 × 96 pixels has a few kilobytes; photographs come down to this with less quality. */
const maxBytes = 14_000;

/**
 * An organization's logo for people who are no members yet, such as those who were invited: a data: URL of at most 20 kB,
 * because the file itself is for members only.
 * @param logoUrl  organizations.logo_url
 * @returns null when there is none, or it cannot be had at the moment: a logo is only decoration
 */
export async function showLogo(files: FileStore, logoUrl: string | null): Promise<string | null> {
  const stored = parseStoredUrl(logoUrl);
  if (stored === undefined) return null;
  try {
    const bytes = await files.read(keyOf(stored));
    if (bytes === undefined) return null;
    for (const quality of [80, 40]) {
      const small = await toThumbnail(bytes, size, quality);
      if (small.length <= maxBytes) return `data:image/webp;base64,${small.toString('base64')}`;
    }
    return null;
  } catch {
    return null;
  }
}
