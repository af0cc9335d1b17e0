import type { ContentImport, ImportSettings } from '@reachout/contract/content-imports.ts';
import { networkProblem, problemFrom } from '#web/platform/problem.ts';

/** Maximum file size. */
export const maxImportBytes = 50 * 1000 * 1000;

/**
 * Uploads file and settings as a form, with XMLHttpRequest because `fetch` does not report upload progress.
 * @param onProgress  uploaded share of the file, 0 to 1
 */
export function uploadImport(
  organizationId: string,
  settings: ImportSettings,
  file: File,
  onProgress: (share: number) => void,
): Promise<ContentImport> {
  const form = new FormData();
  if (settings.collection !== undefined) form.set('collection', settings.collection);
  if (settings.client_id !== undefined) form.set('client_id', settings.client_id);
  form.set('mapping', JSON.stringify(settings.mapping));
  form.set('key_field', settings.key_field ?? '');
  form.set('format', settings.format);
  form.set('separator', settings.separator);
  form.set('encoding', settings.encoding);
  form.set('new_fields', JSON.stringify(settings.new_fields));
  form.set('reject_fields', JSON.stringify(settings.reject_fields));
  if (settings.consent !== undefined) form.set('consent', JSON.stringify(settings.consent));
  form.set('check', settings.check);
  // Last, so that the server has the settings before the file arrives.
  form.set('file', file);

  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/content/${encodeURIComponent(organizationId)}/imports`);
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    });
    request.addEventListener('error', () => reject(networkProblem()));
    request.addEventListener('load', () => {
      const body = parse(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body as ContentImport);
      else {
        const id = request.getResponseHeader('x-request-id');
        reject(problemFrom(request.status, body, request.statusText, id));
      }
    });
    request.send(form);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
