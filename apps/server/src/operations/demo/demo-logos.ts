import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storeImage } from '../../identity/images/store-image.ts';
import { toStoredImage } from '../../identity/images/image.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';
import type { BrandKey, ClientKey } from './story/story.ts';

/** Stores the logo of a brand, or of a client, for a row that is about to refer to it. @returns its address */
export type StoreLogo = (organizationId: string, key: BrandKey | ClientKey) => Promise<string>;

/** Drawn by scripts/draw-demo.ts. */
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
      findMaxFiles: () => Promise.resolve(Infinity),
      listReferred: () => Promise.resolve([]),
      refer: (url) => {
        stored = url;
        return Promise.resolve(null);
      },
    });
    return stored;
  };
