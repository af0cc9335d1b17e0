import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storeImage } from '../../identity/storage/store-image.ts';
import { toStoredImage } from '../../identity/storage/image.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';
import type { BrandKey, ClientKey } from './story/story.ts';

/** Stores a brand's or client's logo for a row that will refer to it. @returns the logo's URL */
export type StoreLogo = (organizationId: string, key: BrandKey | ClientKey) => Promise<string>;

/** At twice the size at which they are shown, like the pictures in `apps/web/public/demo`. */
const folder = join(import.meta.dirname, 'logos');

export const createStoreLogo =
  (files: FileStore, log: Log): StoreLogo =>
  async (organizationId, key) => {
    const image = await toStoredImage(await readFile(join(folder, `${key}.png`)), organizationId);
    let stored = '';
    await storeImage(files, log, {
      bucket: 'logos',
      ownerId: organizationId,
      image,
      findUse: () => Promise.resolve({ maxFiles: Infinity, referred: [] }),
      refer: (url) => {
        stored = url;
        return Promise.resolve(null);
      },
    });
    return stored;
  };
