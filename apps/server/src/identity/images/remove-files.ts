import type { FileStore } from '../../platform/files/file-store.ts';

/**
 * Removes all files of an organization or user. A repeat does nothing.
 * @throws FileStoreFailure: retry later
 */
export const removeFilesOf = (
  files: FileStore,
  whose: { organizationId: string } | { userId: string },
): Promise<void> =>
  files.removeFolder('userId' in whose ? `avatars/${whose.userId}` : `logos/${whose.organizationId}`);
