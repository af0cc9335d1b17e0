import { buckets, type BucketRules } from '@reachout/contract/rules/storage.ts';
import { fetchSignedIn } from './fetch.ts';
import { Problem } from './problem.ts';

/** Sends a file, which the server inspects. @param to  the path below `/api/` */
export async function sendFile(to: string, file: File): Promise<Response> {
  const form = new FormData();
  form.set('file', file);
  return await fetchSignedIn(`/api/${to}`, { method: 'POST', body: form });
}

/**
 * Checks what would otherwise be refused only after the whole upload: the size, and the declared type.
 * @throws Problem `invalid_image`, `image_too_large` or `file_too_large`
 */
export function checkFile(file: File, { types, maxBytes, isDrawn }: BucketRules): void {
  if (types?.includes(file.type) === false) throw new Problem(fileProblem(415, 'invalid_image'));
  if (file.size > maxBytes)
    throw new Problem(fileProblem(413, isDrawn ? 'image_too_large' : 'file_too_large'));
}

/** @returns the image as a `data:` URL. @throws as `checkFile` */
export async function readLogo(file: File): Promise<string> {
  checkFile(file, buckets.logos);
  return await readAsUrl(file);
}

/** Reads an image as a `data:` URL, which the content security policy allows for images, unlike `blob:`. */
export const readAsUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read')));
    reader.readAsDataURL(file);
  });

/** @param url  URL of the stored file, as in responses */
export async function removeStored(url: string): Promise<void> {
  await fetchSignedIn(url, { method: 'DELETE' });
}

const fileProblem = (status: number, code: string) => ({ status, code, title: code });
