import type { Caller } from '../access/caller.ts';
import { limitedTransaction } from '../access/limited-transaction.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';
import { requirePerson } from './read-stored.ts';
import type { Uploader } from './receive-file.ts';
import { findAvatar, lockAvatar, updateUser } from '../auth/users/user.queries.ts';
import { removeReplaced, storeImage } from './store-image.ts';
import type { StoredPath } from './stored-path.ts';

/** Maximum files of one user: the avatar, and leftovers of interrupted uploads. */
const maxFiles = 200;

interface Deps {
  db: Database;
  files: FileStore;
  log: Log;
}

/**
 * Uploads the caller's own avatar.
 * @param receive  reads the image, once the upload is authorized
 * @throws 401; 403 for API keys; errors of `receive` and `storeImage`
 */
export async function uploadAvatar(
  { db, files, log }: Deps,
  caller: Caller | undefined,
  receive: (uploader: Uploader) => Promise<Buffer>,
): Promise<StoredPath> {
  const { userId } = requirePerson(caller);
  return await storeImage(files, log, {
    bucket: 'avatars',
    ownerId: userId,
    image: await receive({ userId, ownerId: userId }),
    findMaxFiles: () => Promise.resolve(maxFiles),
    listReferred: () =>
      limitedTransaction(db, { userId }, async (trx) => [(await findAvatar(trx, userId)) ?? '']),
    refer: (url) =>
      limitedTransaction(db, { userId }, async (trx) => {
        const before = await lockAvatar(trx, userId);
        await updateUser(trx, userId, { avatar_url: url });
        return before ?? null;
      }),
  });
}

/** @throws 401; 403 for API keys; 404 for any avatar but the caller's own */
export async function deleteAvatar(
  { db, files, log }: Deps,
  caller: Caller | undefined,
  { url }: StoredPath,
): Promise<void> {
  const { userId } = requirePerson(caller);
  await limitedTransaction(db, { userId }, async (trx) => {
    if ((await lockAvatar(trx, userId)) !== url) throw notFound();
    await updateUser(trx, userId, { avatar_url: null });
  });
  await removeReplaced(files, log, url);
}
