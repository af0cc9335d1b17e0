import type { Caller } from '../access/caller.ts';
import { limitedTransaction } from '../access/limited-transaction.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';
import { requirePerson } from './read-stored.ts';
import type { Uploader } from './receive-image.ts';
import { findAvatar, lockAvatar, updateUser } from '../auth/users/user.queries.ts';
import { removeReplaced, storeImage } from './store-image.ts';
import type { StoredPath } from './stored-path.ts';

/** Of a person: one avatar, and what uploads that broke off have left. */
const maxFiles = 200;

interface Deps {
  db: Database;
  files: FileStore;
  log: Log;
}

/**
 * The caller's own picture.
 * @param receive  reads the image, once it is known that it is wanted
 * @throws 401; 403 for API keys; what `receive` and `storeImage` throw
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

/** @throws 401; 403 for API keys; 404 for any but the caller's own */
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
