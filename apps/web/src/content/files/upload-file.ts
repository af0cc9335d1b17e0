import type { ContentFile } from '@reachout/contract/content-files.ts';
import { maxFileBytes, shownFileTypes } from '@reachout/contract/rules/storage.ts';
import { fetchSignedIn } from '#web/platform/fetch.ts';
import { compact } from '#web/platform/list-search.ts';
import { Problem } from '#web/platform/problem.ts';

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
  // Otherwise the whole file would be uploaded before the server could reject it.
  if (file.size > maxFileBytes)
    throw new Problem({ status: 413, code: 'file_too_large', title: 'The file is too large' });
  const form = new FormData();
  form.set('file', file);
  const options = new URLSearchParams(compact({ kind, brand_id: brandId }));
  const query = options.size === 0 ? '' : `?${options.toString()}`;
  const path = `/api/content/${encodeURIComponent(organizationId)}/files${query}`;
  const response = await fetchSignedIn(path, { method: 'POST', body: form });
  return (await response.json()) as ContentFile;
}

export const isShown = (type: string): boolean => shownFileTypes.some((shown) => shown === type);
