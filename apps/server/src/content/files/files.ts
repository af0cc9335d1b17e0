import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { isShown, maxFiles, type ContentBucket } from '@reachout/contract/rules/storage.ts';
import { findQuota, lockForQuota } from '../../identity/organizations/quotas.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import { putFile, sumFiles, type FileRow } from './files.queries.ts';

/** Serializes uploads of an organization, so that they count each other and see each other's paths. */
export const lockFiles = (trx: Transaction, organizationId: string): Promise<void> =>
  lockForQuota(trx, organizationId, 'file_megabytes');

/**
 * Adds a file whose bytes are stored already, or replaces the one of its id. Call `lockFiles` before.
 * @throws LimitExceeded `quota_exceeded`, `too_many_records`
 */
export async function addFile(trx: Transaction, organizationId: string, file: FileRow): Promise<void> {
  const { limit, used } = await findQuota(trx, organizationId, 'file_megabytes');
  await putFile(trx, organizationId, file);
  const { count, bytes } = await sumFiles(trx, organizationId);
  if (bytes > limit * 1_000_000)
    throw new LimitExceeded(
      'file_megabytes',
      'quota_exceeded',
      { quota: 'file_megabytes', limit, used },
      { organizationId },
      `The files of your organization have ${used} of ${limit} MB, and this one has ${Math.ceil(file.filesize / 1_000_000)} MB. The operator of this installation can raise the limit.`,
    );
  if (count > maxFiles)
    throw new LimitExceeded('files', 'too_many_records', { limit: maxFiles }, { organizationId });
}

/** The bucket of a file for which the sender has chosen none. */
export const bucketOf = (type: string): ContentBucket => (isShown(type) ? 'images' : 'documents');

/**
 * Makes the name from the sender safe to display and to save a file under. Without bidi controls, it reads as it is spelled.
 * @param fallback  used if nothing is left
 */
export function cleanFileName(name: string, fallback: string): string {
  const shown = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Bidi_Control}/\\]/gu, '')
    .trim();
  return shown === '' ? fallback : cutText(shown, 200).toWellFormed();
}
