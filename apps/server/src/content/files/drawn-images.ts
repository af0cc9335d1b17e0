import { maxPublicBytes } from '@reachout/contract/rules/storage.ts';
import { drawAnew } from '../../identity/storage/image.ts';
import { contentKey } from '../../identity/storage/stored-path.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { apiError } from '../../platform/http/api-error.ts';

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

/** The keys of a file, and of what the public saw of it. */
export const keysOf = (file: FileRef): string[] => [
  contentKey(file.organization_id, file.bytes_id),
  drawnKey(file),
];
