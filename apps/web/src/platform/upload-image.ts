import { fetchOrProblem } from './fetch.ts';
import { Problem } from './problem.ts';

/** The same limits as on the server, which inspects the file; this checks only the declared type. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
export const maxImageMegabytes = 5;

/** @throws Problem `invalid_image` or `image_too_large` */
export async function readImage(file: File): Promise<string> {
  if (!imageTypes.includes(file.type)) throw imageProblem(415, 'invalid_image');
  if (file.size > maxImageMegabytes * 1_000_000) throw imageProblem(413, 'image_too_large');
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

/** @param to  `logos/organizations/{id}`, `avatars/me` and the like */
export async function uploadImage(to: string, file: File): Promise<void> {
  await fetchOrProblem(`/api/storage/${to}`, {
    method: 'POST',
    headers: { 'content-type': file.type },
    body: file,
  });
}

/** @param url  URL of the stored image, as in responses */
export async function removeImage(url: string): Promise<void> {
  await fetchOrProblem(url, { method: 'DELETE' });
}

const imageProblem = (status: number, code: string) => new Problem({ status, code, title: code });
