import { buckets, type Bucket } from '@reachout/contract/rules/storage.ts';
import { fetchSignedIn } from './fetch.ts';
import { networkProblem, Problem, problemFrom } from './problem.ts';

interface Sending {
  /** What precedes the file in the form: texts, and values that are sent as JSON. */
  fields?: object;
  /** Called with the uploaded share of the file, 0 to 1. */
  onProgress?: (share: number) => void;
}

/** Sends a file, which the server inspects. @param to  the path below `/api/` @returns the response */
export async function sendFile<T>(
  to: string,
  file: File,
  { fields = {}, onProgress }: Sending = {},
): Promise<T> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  // Last, so that the server has the fields before the file arrives.
  form.set('file', file);
  if (onProgress !== undefined) return await sendWithProgress<T>(`/api/${to}`, form, onProgress);
  const response = await fetchSignedIn(`/api/${to}`, { method: 'POST', body: form });
  return (await response.json()) as T;
}

/** Uses XMLHttpRequest, because `fetch` does not report how much was uploaded. */
const sendWithProgress = <T>(url: string, form: FormData, onProgress: (share: number) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    });
    request.addEventListener('error', () => reject(networkProblem()));
    request.addEventListener('load', () => {
      const body = parse(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body as T);
      else {
        const id = request.getResponseHeader('x-request-id');
        reject(problemFrom(request.status, body, request.statusText, id));
      }
    });
    request.send(form);
  });

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Checks what would otherwise be refused only after the whole upload: the size, and the declared type.
 * @throws Problem `invalid_image`, `image_too_large` or `file_too_large`
 */
export function checkFile(file: File, bucket: Bucket): void {
  const { maxBytes, isDrawn } = buckets[bucket];
  const types: readonly string[] | undefined = buckets[bucket].types;
  if (types?.includes(file.type) === false) throw fileProblem(415, 'invalid_image');
  if (file.size > maxBytes) throw fileProblem(413, isDrawn ? 'image_too_large' : 'file_too_large');
}

/**
 * Reads an image as a `data:` URL, which the content security policy allows for images, unlike `blob:`.
 * @throws as `checkFile`
 */
export async function readImage(file: File, bucket: Bucket): Promise<string> {
  checkFile(file, bucket);
  return await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read')));
    reader.readAsDataURL(file);
  });
}

/** @param url  URL of the stored file, as in responses */
export async function removeStored(url: string): Promise<void> {
  await fetchSignedIn(url, { method: 'DELETE' });
}

const fileProblem = (status: number, code: string) => new Problem({ status, code, title: code });
