import { maxFileBytes, shownFileTypes, type ContentFile } from '@reachout/contract/content-files.ts';
import { fetchSignedIn } from '#web/platform/fetch.ts';
import { Problem } from '#web/platform/problem.ts';

/**
 * @param kind  `image` for files to be displayed as images
 * @throws Problem `file_too_large`, `invalid_image`, and other errors of the server
 */
export async function uploadFile(organizationId: string, file: File, kind?: 'image'): Promise<ContentFile> {
  // Otherwise the whole file would be uploaded before the server could reject it.
  if (file.size > maxFileBytes)
    throw new Problem({ status: 413, code: 'file_too_large', title: 'The file is too large' });
  const form = new FormData();
  form.set('file', file);
  const path = `/api/content/${encodeURIComponent(organizationId)}/files${kind ? `?kind=${kind}` : ''}`;
  const response = await fetchSignedIn(path, { method: 'POST', body: form });
  return (await response.json()) as ContentFile;
}

export const isShown = (type: string): boolean => shownFileTypes.some((shown) => shown === type);
