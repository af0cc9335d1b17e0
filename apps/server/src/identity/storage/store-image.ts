import type { DrawnBucket } from '@reachout/contract/rules/storage.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { newId } from '../../platform/ids.ts';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import type { Log } from '../../platform/log.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import { removeUnused } from './remove-files.ts';
import { keyOf, madeAt, newStoredPath, parseStoredUrl, urlOf, type StoredPath } from './stored-path.ts';

/** Maximum total size for one organization or user. */
const maxBytes = 50_000_000;

/** An unreferenced file may belong to a running upload; after this time, in ms, it counts as left over. */
const leftOverAfterMs = 60 * 60_000;

/** One upload at a time per folder, so that concurrent uploads are counted. */
const limitPerFolder = createConcurrencyLimiter({
  bound: 'image changes of an owner',
  maxConcurrent: 1,
  maxQueued: 20,
  maxWaitMs: 15_000,
});

export interface Upload {
  bucket: DrawnBucket;
  /** Owner of the folder: a user or an organization. */
  ownerId: string;
  /** As returned by `toStoredImage`. */
  image: Buffer;
  /** Maximum number of files in the folder, and the URLs of all files in it that a row refers to. */
  findUse: () => Promise<{ maxFiles: number; referred: readonly (string | null)[] }>;
  /** Replaces the URL in the row and returns the previous one; the file exists already. */
  refer: (url: string) => Promise<string | null>;
}

/**
 * Stores an image under a generated name. In this order: write the file, commit the row, remove the previous file. A
 * failure in between leaves at most an unreferenced file, which the next upload into the folder removes.
 * @throws LimitExceeded, also `storage_full`
 */
export async function storeImage(
  files: FileStore,
  log: Log,
  upload: Upload,
): Promise<StoredPath<DrawnBucket>> {
  const { bucket, ownerId, image } = upload;
  const folder = `${bucket}/${ownerId}`;
  return await limitPerFolder(folder, async () => {
    await enforceQuota(files, folder, upload);
    const stored = newStoredPath(bucket, ownerId, newId());
    await files.write(keyOf(stored), image);
    await removeReplaced(files, log, await upload.refer(urlOf(stored)));
    return stored;
  });
}

/** Removes a replaced file. The row is committed, so a failure only leaves an unreferenced file. */
export const removeReplaced = (files: FileStore, log: Log, url: string | null): Promise<void> => {
  const stored = parseStoredUrl(url);
  return removeUnused({ files, log }, stored === undefined ? [] : [keyOf(stored)]);
};

async function enforceQuota(files: FileStore, folder: string, upload: Upload): Promise<void> {
  const found = await files.list(folder);
  const { maxFiles, referred } = await upload.findUse();
  const names = new Set(referred.map((url) => parseStoredUrl(url)?.path));
  const leftOver = found.filter(
    ({ name }) => !names.has(name) && Date.now() - (madeAt(name) ?? 0) > leftOverAfterMs,
  );
  for (const { name } of leftOver) await files.remove(`${folder}/${name}`);
  const kept = found.filter((file) => !leftOver.includes(file));
  const bytes = kept.reduce((sum, file) => sum + file.bytes, 0);
  if (kept.length < maxFiles && bytes + upload.image.length <= maxBytes) return;
  const data = {
    images: { used: kept.length, limit: maxFiles },
    megabytes: { used: Math.round(bytes / 100_000) / 10, limit: maxBytes / 1_000_000 },
  };
  throw new LimitExceeded('images', 'storage_full', data, { folder });
}
