import { cutText } from '@reachout/contract/rules/cut-text.ts';
import {
  customEndpoint,
  deleteFile,
  readAssetArrayBuffer,
  readFile,
  readFiles,
  updateFile,
  uploadFiles,
} from '@directus/sdk';
import { maxFileBytes, shownFileTypes } from '@reachout/contract/rules/storage.ts';
import { id as fileId } from '@reachout/contract/values.ts';
import { splitOrder } from '../../platform/database/list-page.ts';
import { isNotFound, notFound } from '../../platform/http/api-error.ts';
import type { ContentFiles, FileList, ShownFile } from '../backend/content-files.ts';
import { cleanFileName } from '../files/files.ts';
import {
  malformed,
  readCount,
  withSdkOptions,
  type Command,
  type DirectusClient,
} from './directus-client.ts';
import { DirectusError, backendFailed, builtInOnly } from './directus-error.ts';

export interface DirectusFiles extends ContentFiles {
  /** @param file  with a sanitized name and the type detected from its bytes */
  uploadFile: (file: { bytes: Buffer; name: string; type: string }) => Promise<ShownFile>;
  /** Ignores what Directus says about the bytes. */
  readFile: (id: string) => Promise<{ filename_download: string; bytes: Buffer }>;
}

const fields = ['id', 'filename_download', 'type', 'filesize', 'uploaded_on'];

/** The files of a Directus. Use it outside transactions. */
export function createDirectusFiles(client: DirectusClient): DirectusFiles {
  const isThere = async (id: string): Promise<boolean> => {
    const query = { filter: { id: { _eq: id } }, fields: ['id'], limit: 1 };
    return (await client.request(readFiles(query as never), 'list')).length > 0;
  };
  /** @param id  the file in question; Directus sends the same error for a missing file as for one that is not allowed */
  const ask = async <T>(work: () => Promise<T>, id?: string): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!isNotAllowed(error)) throw toFileProblem(error);
      const canBeSeen = id === undefined || (await isThere(id).catch(wouldBeDenied));
      throw canBeSeen ? filesNotAllowed(error) : notFound();
    }
  };
  const getFile = async (id: string): Promise<ShownFile> => {
    const command = readFile(id, { fields } as never);
    return await ask(async () => {
      const row = await client.request(command, 'object');
      // Directus has not received the bytes yet.
      if (row['uploaded_on'] === null) throw notFound();
      return toFile(row);
    }, id);
  };

  return {
    getFile,

    listFiles: (list) =>
      ask(async () => {
        const { page, page_size: limit } = list;
        const filter = toFilter(list);
        const query = { fields, filter, sort: toSort(list), limit, offset: page * limit };
        const counting = {
          path: '/files',
          method: 'GET',
          params: { aggregate: { count: '*' }, filter },
        } as const;
        const rows = await client.request(readFiles(query as never), 'list');
        if (rows.length > limit) throw malformed('It has more files than were asked for.');
        return {
          items: rows.flatMap((row) => readRow(row) ?? []),
          count: readCount(await client.request(customEndpoint(counting), 'list')),
        };
      }),

    updateFile: async (id, { filename_download: name, is_public, brand_id }) => {
      if (is_public !== undefined || brand_id !== undefined) throw builtInOnly();
      // Reads the file first: without permission to read, the response to the update is empty.
      const file = await getFile(id);
      if (name === undefined) return file;
      const changes = { filename_download: cleanFileName(name, 'file') };
      const command = updateFile(id, changes, { fields } as never);
      const row = await ask(() => client.request(command, 'any'), id);
      // With an admin token, the response for a missing file is empty.
      if (row === null) throw notFound();
      return toFile(row as Record<string, unknown>);
    },

    deleteFile: async (id) => {
      // With an admin token, deleting a missing file succeeds.
      const file = await getFile(id);
      let attempts = 0;
      const command: Command = () => {
        attempts += 1;
        return deleteFile(id)();
      };
      await ask(() => client.request(command, 'any'), id).catch((error: unknown) => {
        // The connection broke after the first attempt had deleted the file.
        if (attempts === 1 || !isNotFound(error)) throw error;
      });
      return file;
    },

    uploadFile: async ({ bytes, name, type }) => {
      const form = new FormData();
      form.set('file', new File([new Uint8Array(bytes)], name, { type }));
      const command = uploadFiles(form, { fields } as never);
      return await ask(async () => toFile(await client.request(command, 'object', { isRepeatable: false })));
    },

    readFile: async (id) => {
      const { filename_download, filesize } = await getFile(id);
      if (filesize > maxFileBytes)
        throw backendFailed(new DirectusError('too_large', 'The file is too large.'));
      const command = withSdkOptions(readAssetArrayBuffer(id), { isFile: true });
      const bytes = await client.request(command, 'bytes').catch((error: unknown) => {
        // The row was readable, so the bytes are missing.
        throw isNotAllowed(error) ? notFound() : toFileProblem(error);
      });
      return { filename_download, bytes };
    },
  };
}

const toFilter = ({ search, isImage }: FileList) => ({
  _and: [
    // For files without it, Directus has not received the bytes yet.
    { uploaded_on: { _nnull: true } },
    ...((search ?? '') === '' ? [] : [{ filename_download: { _icontains: search } }]),
    ...(isImage ? [{ type: { _in: shownFileTypes } }, { filesize: { _lte: maxFileBytes } }] : []),
  ],
});

function toSort({ order }: FileList): string[] {
  const { column, direction } = splitOrder(order);
  const sign = direction === 'desc' ? '-' : '';
  return [`${sign}${column === 'date_created' ? 'uploaded_on' : column}`, `${sign}id`];
}

/** Validates a row, which is untrusted. @returns undefined for a file that cannot be used here */
function readRow(row: Record<string, unknown>): ShownFile | undefined {
  const { filename_download: name, type, filesize, uploaded_on } = row;
  const id = fileId.safeParse(row['id']);
  // Directus sends large numbers as text.
  const size = Number(filesize ?? 0);
  const uploadedAt = Date.parse(String(uploaded_on));
  const isUsable = id.success && typeof name === 'string' && Number.isSafeInteger(size) && size >= 0;
  if (!isUsable || Number.isNaN(uploadedAt)) return undefined;
  return {
    id: id.data.toLowerCase(),
    filename_download: cleanFileName(cutText(name, 1_000), 'file'),
    type: typeof type === 'string' && mediaType.test(type) ? type : 'application/octet-stream',
    filesize: size,
    date_created: new Date(uploadedAt).toISOString(),
    public_key: null,
    brand_id: null,
    bucket: null,
    path: null,
  };
}

const mediaType = /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/;

function toFile(row: Record<string, unknown>): ShownFile {
  const file = readRow(row);
  if (file === undefined) throw malformed('The response is not a file of Directus.');
  return file;
}

const isNotAllowed = (error: unknown): error is DirectusError =>
  error instanceof DirectusError && error.failure === 'not_allowed';

/** If listing files is not allowed, using this file is not allowed either. */
const wouldBeDenied = (error: unknown): true => {
  if (isNotAllowed(error)) return true;
  throw toFileProblem(error);
};

const filesNotAllowed = ({ message, cause }: DirectusError) =>
  backendFailed(new DirectusError('files_not_allowed', message, { cause }));

const toFileProblem = (error: unknown): unknown =>
  error instanceof DirectusError ? backendFailed(error) : error;
