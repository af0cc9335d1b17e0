import type { ContentFile } from '@reachout/contract/content-files.ts';
import { maxFileBytes } from '@reachout/contract/rules/storage.ts';
import { Problem } from '#web/platform/problem.ts';
import { readAsUrl } from '#web/platform/upload-image.ts';
import { invalidImage } from './draw-image.ts';
import { assetUrl } from './file-queries.ts';
import { isShown } from './upload-file.ts';

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
  if (!isShown(file.type)) throw invalidImage();
  if (file.size > maxFileBytes)
    throw new Problem({ status: 413, code: 'file_too_large', title: 'The file is too large' });
  const url = await readAsUrl(file);
  return { key: crypto.randomUUID(), name: file.name, type: file.type, bytes: file.size, url, file };
}
