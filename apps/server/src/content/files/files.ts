import { maxFiles, maxFilesBytes } from '@reachout/contract/content-files.ts';
import { lockForQuota } from '../../identity/organizations/quotas.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import { insertFile, sumFiles, type FileRow } from './files.queries.ts';

/** The key of a file in the file store. */
export const fileKey = (organizationId: string, id: string): string => `${folderOf(organizationId)}/${id}`;

const folderOf = (organizationId: string): string => `content/${organizationId}`;

/** Adds a file whose bytes are stored already. @throws LimitExceeded `too_many_records` */
export async function addFile(trx: Transaction, organizationId: string, file: FileRow): Promise<void> {
  // Serializes concurrent uploads, so that they count each other.
  await lockForQuota(trx, organizationId, 'images');
  await insertFile(trx, organizationId, file);
  const { count, bytes } = await sumFiles(trx, organizationId);
  if (count > maxFiles || bytes > maxFilesBytes)
    throw new LimitExceeded('files', 'too_many_records', { limit: maxFiles }, { organizationId, bytes });
}

/** Call it once the rows of an organization are erased. Idempotent. @throws FileStoreFailure: retry later */
export const removeContentFiles = (files: FileStore, organizationId: string): Promise<void> =>
  files.removeFolder(folderOf(organizationId));

/**
 * Makes the name from the sender safe to display and to save a file under. Without bidi controls, it reads as it is spelled.
 * @param fallback  used if nothing is left
 */
export function cleanFileName(name: string, fallback: string): string {
  const shown = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Bidi_Control}/\\]/gu, '')
    .trim();
  return shown === '' ? fallback : shown.slice(0, 200).toWellFormed();
}
