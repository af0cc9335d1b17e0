import type { ContentFile } from '@reachout/contract/content-files.ts';
import { randomUuid } from '#web/platform/random-uuid.ts';
import { readImage } from '#web/platform/upload.ts';
import { assetUrl } from './file-queries.ts';

/** An image of the library, or one that is not uploaded yet. */
export interface ImageSource {
  /** Differs for each choice. */
  key: string;
  name: string;
  type: string;
  bytes: number;
  /** For `<img>`. */
  url: string;
  file: ContentFile | File;
}

export const ofLibrary = (orgId: string, file: ContentFile): ImageSource => ({
  key: file.id,
  name: file.filename_download,
  type: file.type,
  bytes: file.filesize,
  url: assetUrl(orgId, file.id),
  file,
});

/** @throws Problem `invalid_image` or `file_too_large` */
export async function ofDevice(file: File): Promise<ImageSource> {
  const url = await readImage(file, 'images');
  return { key: randomUuid(), name: file.name, type: file.type, bytes: file.size, url, file };
}
