import { createHash } from 'node:crypto';

/** In characters, for all pictures of this process. */
const maxCharacters = 10_000_000;

/** Keeps pictures of emails in memory, the latest used ones: each is rendered once, for everyone who may see it. */
export interface PictureCache {
  /**
   * @param source  everything that the picture depends on
   * @param render  returns the HTML; its errors are not kept
   */
  draw: (source: unknown, render: () => Promise<string>) => Promise<string | null>;
}

export function createPictureCache(): PictureCache {
  const pictures = new Map<string, string | null>();
  let characters = 0;
  return {
    draw: async (source, render) => {
      const key = createHash('sha256').update(JSON.stringify(source)).digest('base64');
      const known = pictures.get(key);
      const picture = known === undefined ? toPicture(await render()) : known;
      // Concurrent requests may have added it meanwhile.
      if (pictures.delete(key)) characters -= picture?.length ?? 0;
      pictures.set(key, picture);
      characters += picture?.length ?? 0;
      for (const [oldest, html] of pictures) {
        if (characters <= maxCharacters && pictures.size <= maxPictures) break;
        pictures.delete(oldest);
        characters -= html?.length ?? 0;
      }
      return picture;
    },
  };
}

/** Those that cannot be shown have no characters. */
const maxPictures = 10_000;

/** In characters: pictures are small, and a list contains many. */
const maxLength = 200_000;

/** @returns null if the HTML is empty or too long */
export const toPicture = (html: string): string | null =>
  html === '' || html.length > maxLength ? null : html;
