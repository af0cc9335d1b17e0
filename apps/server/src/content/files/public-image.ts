import { randomBytes } from 'node:crypto';
import type { ContentFile } from '@reachout/contract/content-files.ts';
import { buckets, maxPublicBytes } from '@reachout/contract/rules/storage.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import type { ShownFile } from '../backend/content-files.ts';
import { isShown } from '../../identity/storage/file-type.ts';

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
