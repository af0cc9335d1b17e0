import type { ContentFile } from '@reachout/contract/content-files.ts';
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
  checkFile(file, 'documents');
  const query = new URLSearchParams(compact({ kind, brand_id: brandId })).toString();
  return await sendFile(`content/${encodeURIComponent(organizationId)}/files?${query}`, file);
}
