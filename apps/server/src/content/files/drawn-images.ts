import { maxPublicBytes, buckets, isShown } from '@reachout/contract/rules/storage.ts';
import { drawAnew } from '../../identity/storage/image.ts';
import { removeUnused } from '../../identity/storage/remove-files.ts';
import { contentKey } from '../../identity/storage/stored-path.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { apiError, invalidInput } from '../../platform/http/api-error.ts';
import type { Log } from '../../platform/log.ts';
import { randomBytes } from 'node:crypto';
import type { ContentFile } from '@reachout/contract/content-files.ts';
import type { ShownFile } from '../backend/content-files.ts';

interface FileRef {
  organization_id: string;
  bytes_id: string;
}

/** The key of what the public sees of an image. */
const drawnKey = ({ organization_id, bytes_id }: FileRef): string =>
  `${contentKey(organization_id, bytes_id)}.public`;

/**
 * Reads what the public sees of an image: a drawing of it, because the file itself can tell who took it, and where. It is
 * drawn and stored at the first call.
 * @returns undefined if the file is gone
 * @throws 422 `invalid_image`; LimitExceeded; FileStoreFailure
 */
export async function readDrawn(files: FileStore, image: FileRef): Promise<Buffer | undefined> {
  const stored = await files.read(drawnKey(image));
  if (stored !== undefined) return stored;
  const original = await files.read(contentKey(image.organization_id, image.bytes_id));
  if (original === undefined) return undefined;
  const drawn = await drawAnew(original, image.organization_id);
  if (drawn.length > maxPublicBytes)
    throw apiError(
      'invalid_image',
      undefined,
      `A public image has at most ${maxPublicBytes / 1_000_000} MB, also when it is drawn anew.`,
    );
  await files.write(drawnKey(image), drawn);
  return drawn;
}

/** Removes the bytes of files that are gone, and what the public saw of them: call it after the commit. */
export const removeBytes = (
  deps: { files: FileStore; log: Log },
  organization_id: string,
  bytesIds: readonly string[],
): Promise<void> =>
  removeUnused(
    deps,
    bytesIds.flatMap((bytes_id) => [
      contentKey(organization_id, bytes_id),
      drawnKey({ organization_id, bytes_id }),
    ]),
  );

/** The key in the URL of a public image: 128 random bits, which cannot be guessed. */
export const publicKey = /^[\w-]{22}$/;

export const toContentFile = ({ public_key, ...file }: ShownFile, publicUrl: string): ContentFile => ({
  ...file,
  public_url: publicUrlOf(public_key, publicUrl),
});

/** @param publicUrl  base URL of the installation */
export const publicUrlOf = (key: string | null, publicUrl: string): string | null =>
  key === null ? null : `${publicUrl}/i/${key}`;

/**
 * @returns the key of an image that is made public; an existing key is kept, because delivered emails contain its URL
 * @param field  that asked for it
 * @throws 422 on this field for a file that is not an image, or is too large
 */
export function toPublicKey(
  { type, bucket, filesize, public_key }: Pick<ShownFile, 'type' | 'bucket' | 'filesize' | 'public_key'>,
  field: 'is_public' | 'public' = 'is_public',
): string {
  if (bucket === null || !buckets[bucket].canBePublic || !isShown(type))
    throw invalidInput(field, 'Only an image that browsers show can be public.');
  if (filesize > maxPublicBytes)
    throw invalidInput(field, `A public image has at most ${maxPublicBytes / 1_000_000} MB.`);
  return public_key ?? randomBytes(16).toString('base64url');
}
