import { randomBytes } from 'node:crypto';
import { maxPublicBytes, type ContentFile } from '@reachout/contract/content-files.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import type { ShownFile } from '../backend/content-files.ts';
import { isShown } from './file-type.ts';

/** In the address of a public image: 128 bits that nobody can guess. */
export const publicKey = /^[\w-]{22}$/;

export const toContentFile = ({ public_key, ...file }: ShownFile, publicUrl: string): ContentFile => ({
  ...file,
  public_url: public_key === null ? null : `${publicUrl}/i/${public_key}`,
});

/**
 * The key of an image that becomes public, or stays so: emails in people's mailboxes have its address.
 * @throws 422 on `is_public` for what is no image, and for one that is too large
 */
export function toPublicKey({ type, filesize, public_key }: ShownFile): string {
  if (!isShown(type)) throw invalidInput('is_public', 'Only an image that browsers show can be public.');
  if (filesize > maxPublicBytes)
    throw invalidInput('is_public', `A public image has at most ${maxPublicBytes / 1_000_000} MB.`);
  return public_key ?? randomBytes(16).toString('base64url');
}
