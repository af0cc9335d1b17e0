import type { FileStore } from '../../platform/files/file-store.ts';
import { newId } from '../../platform/ids.ts';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import type { Log } from '../../platform/log.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import { keyOf, madeAt, newStoredPath, parseStoredUrl, type Bucket, type StoredPath } from './stored-path.ts';

/** Of one organization, or one person. */
const maxBytes = 50_000_000;

/** A file that nothing refers to may belong to an upload that is under way; after this time it is left over. */
const leftOverAfterMs = 60 * 60_000;

/** One after the other in each folder, so that uploads at once count each other. */
const limitPerFolder = createConcurrencyLimiter({
  bound: 'image changes of an owner',
  maxConcurrent: 1,
  maxQueued: 20,
  maxWaitMs: 15_000,
});

export interface Upload {
  bucket: Bucket;
  /** Whose folder it is: a person, or an organization. */
  ownerId: string;
  /** As `toStoredImage` makes it. */
  image: Buffer;
  /** How many files the folder may have. */
  findMaxFiles: () => Promise<number>;
  /** The addresses of all files in the folder that a row holds. */
  listReferred: () => Promise<string[]>;
  /** Puts the new address in place of the one before, which it returns; the file is there already. */
  refer: (url: string) => Promise<string | null>;
}

/**
 * Keeps an image under a name of ours. In this order: write the file, commit the row, remove the file before. Whatever
 * breaks in between leaves at most a file that nothing refers to; the next upload into the folder clears it away.
 * @throws LimitExceeded, also `storage_full`
 */
export async function storeImage(files: FileStore, log: Log, upload: Upload): Promise<StoredPath> {
  const { bucket, ownerId, image } = upload;
  const folder = `${bucket}/${ownerId}`;
  return await limitPerFolder(folder, async () => {
    await enforceQuota(files, folder, upload);
    const stored = newStoredPath(bucket, ownerId, newId());
    await files.write(keyOf(stored), image);
    await removeReplaced(files, log, await upload.refer(stored.url));
    return stored;
  });
}

/** The row is committed: what fails here is only left over. */
export async function removeReplaced(files: FileStore, log: Log, url: string | null): Promise<void> {
  const stored = parseStoredUrl(url);
  if (stored === undefined) return;
  try {
    await files.remove(keyOf(stored));
  } catch (error) {
    log.warn({ err: error }, 'a replaced file could not be removed');
  }
}

async function enforceQuota(files: FileStore, folder: string, upload: Upload): Promise<void> {
  const found = await files.list(folder);
  const referred = new Set((await upload.listReferred()).map((url) => parseStoredUrl(url)?.path));
  const leftOver = found.filter(
    ({ name }) =>
      !referred.has(`${upload.ownerId}/${name}`) && Date.now() - (madeAt(name) ?? 0) > leftOverAfterMs,
  );
  for (const { name } of leftOver) await files.remove(`${folder}/${name}`);
  const kept = found.filter((file) => !leftOver.includes(file));
  const bytes = kept.reduce((sum, file) => sum + file.bytes, 0);
  const maxFiles = await upload.findMaxFiles();
  if (kept.length < maxFiles && bytes + upload.image.length <= maxBytes) return;
  const data = {
    images: { used: kept.length, limit: maxFiles },
    megabytes: { used: Math.round(bytes / 100_000) / 10, limit: maxBytes / 1_000_000 },
  };
  throw new LimitExceeded('images', 'storage_full', data, { folder });
}
