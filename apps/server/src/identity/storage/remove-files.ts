import type { FileStore } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';

/**
 * Removes all files of an organization or user. A repeat does nothing.
 * @throws FileStoreFailure: retry later
 */
export async function removeFilesOf(
  files: FileStore,
  whose: { organizationId: string } | { userId: string },
): Promise<void> {
  const folders =
    'userId' in whose
      ? [`avatars/${whose.userId}`]
      : [`logos/${whose.organizationId}`, `content/${whose.organizationId}`];
  for (const folder of folders) await files.removeFolder(folder);
}

/**
 * Removes bytes that no row refers to any more: call it after the commit. A failure leaves them behind: logos and avatars until
 * a later upload into their folder, files of the content until their organization is removed.
 */
export async function removeUnused(
  { files, log }: { files: FileStore; log: Log },
  keys: readonly string[],
): Promise<void> {
  for (const key of keys)
    await files.remove(key).catch((error: unknown) => log.warn({ err: error }, 'file left behind'));
}
