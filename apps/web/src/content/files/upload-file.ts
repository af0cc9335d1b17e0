import type { ContentFile } from '@reachout/contract/content-files.ts';
import { buckets, shownFileTypes } from '@reachout/contract/rules/storage.ts';
import { compact } from '#web/platform/list-search.ts';
import { checkFile, sendFile } from '#web/platform/upload.ts';

interface UploadOptions {
  /** `image` for files to be displayed as images. */
  kind?: 'image' | undefined;
  /** The brand whose library it is added to. */
  brandId?: string | undefined;
}

/**
 * @throws Problem `file_too_large`, `invalid_image`, and other errors of the server
 */
export async function uploadFile(
  organizationId: string,
  file: File,
  { kind, brandId }: UploadOptions = {},
): Promise<ContentFile> {
  checkFile(file, buckets.documents);
  const options = new URLSearchParams(compact({ kind, brand_id: brandId }));
  const query = options.size === 0 ? '' : `?${options.toString()}`;
  const response = await sendFile(`content/${encodeURIComponent(organizationId)}/files${query}`, file);
  return (await response.json()) as ContentFile;
}

export const isShown = (type: string): boolean => shownFileTypes.some((shown) => shown === type);
