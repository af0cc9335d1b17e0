import { maxFiles, maxFilesBytes } from '@reachout/contract/content-files.ts';
import { lockForQuota } from '../../identity/organizations/quotas.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import { insertFile, sumFiles, type FileRow } from './files.queries.ts';

/** Where the bytes of a file are in the file store. */
export const fileKey = (organizationId: string, id: string): string => `${folderOf(organizationId)}/${id}`;

const folderOf = (organizationId: string): string => `content/${organizationId}`;

/** Adds a file whose bytes are stored already. @throws LimitExceeded `too_many_records` */
export async function addFile(trx: Transaction, organizationId: string, file: FileRow): Promise<void> {
  // Two at the same moment count each other.
  await lockForQuota(trx, organizationId, 'images');
  await insertFile(trx, organizationId, file);
  const { count, bytes } = await sumFiles(trx, organizationId);
  if (count > maxFiles || bytes > maxFilesBytes)
    throw new LimitExceeded('files', 'too_many_records', { limit: maxFiles }, { organizationId, bytes });
}

/** Once the rows of an organization are erased. A repeat does nothing. @throws FileStoreFailure: do it again later */
export const removeContentFiles = (files: FileStore, organizationId: string): Promise<void> =>
  files.removeFolder(folderOf(organizationId));

/**
 * The name as its sender gave it, safe to be shown and to be saved under: it is read in the order in which it is written.
 * @param fallback  where nothing is left of it
 */
export function cleanFileName(name: string, fallback: string): string {
  const shown = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Bidi_Control}/\\]/gu, '')
    .trim();
  return shown === '' ? fallback : shown.slice(0, 200).toWellFormed();
}
