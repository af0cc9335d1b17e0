import { maxFileBytes, shownFileTypes, type ContentFile } from '@reachout/contract/content-files.ts';
import { fetchSignedIn } from '#web/platform/fetch.ts';
import { Problem } from '#web/platform/problem.ts';

/**
 * @param kind  `image` for what is to be shown as one
 * @throws Problem `file_too_large`, `invalid_image`, and what else the server refuses
 */
export async function uploadFile(organizationId: string, file: File, kind?: 'image'): Promise<ContentFile> {
  // It would be sent whole before the server could say so.
  if (file.size > maxFileBytes)
    throw new Problem({ status: 413, code: 'file_too_large', title: 'The file is too large' });
  const form = new FormData();
  form.set('file', file);
  const path = `/api/content/${encodeURIComponent(organizationId)}/files${kind ? `?kind=${kind}` : ''}`;
  const response = await fetchSignedIn(path, { method: 'POST', body: form });
  return (await response.json()) as ContentFile;
}

export const isShown = (type: string): boolean => shownFileTypes.some((shown) => shown === type);
