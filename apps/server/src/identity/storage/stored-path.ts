import { cutText } from '@reachout/contract/rules/cut-text.ts';
import {
  buckets,
  imageKinds,
  maxPathBytes,
  recordImages,
  type Bucket,
  type DrawnBucket,
  type LogoKind,
} from '@reachout/contract/rules/storage.ts';
import { attempt } from '../../platform/attempt.ts';
import { isUuid } from '../../platform/ids.ts';

/** Where a file is: a folder of a bucket, and the path in it. Where images are drawn, the server makes the path. */
export interface StoredPath<B extends Bucket = Bucket> {
  bucket: B;
  /** The organization that the folder belongs to, or the user: those of `avatars`. */
  ownerId: string;
  path: string;
}

/** The record that shows an image. */
export type ImageTarget = { kind: 'avatar' } | { kind: LogoKind; id: string };

const maxSegments = 5;

/** Letters and digits of any script, `.`, `_`, `-` and blanks; no dot or blank at its ends, and no two dots in a row. */
const segment = /^(?![. ])(?!.*\.\.)[\p{L}\p{M}\p{N}._ -]{1,200}(?<![. ])$/u;

const drawnName = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.webp$/;

const isSegment = (text: string): boolean => segment.test(text) && text === text.normalize('NFC');

const isFolder = (text: string): boolean => isUuid(text) && text === text.toLowerCase();

/** The record whose image an upload is: `avatars/me`, `logos/brands/{id}/dark` and so on (`recordImages` of the contract). */
export function parseTarget(bucket: string, path: string): ImageTarget | undefined {
  for (const kind of imageKinds) {
    const pattern = new RegExp(`^${recordImages[kind].target.replace('{id}', '([^/]+)')}$`);
    const [whole, id] = pattern.exec(`${bucket}/${path}`) ?? [];
    if (whole === undefined) continue;
    if (kind === 'avatar') return { kind };
    return isUuid(id) ? { kind, id } : undefined;
  }
  return undefined;
}

/**
 * Parses the path of an address as it was sent. Each path has exactly one spelling: an escape of a character that needs none, such
 * as `%2e`, makes another path of it, which does not exist.
 * @returns undefined for anything but `{owner}/{segments}`, or in a bucket of drawn images a name that this server could have made
 */
export const parseStoredPath = <B extends Bucket>(bucket: B, raw: string): StoredPath<B> | undefined =>
  toStoredPath(
    bucket,
    raw.split('/').map((part) => {
      const text = decode(part);
      return encodeURIComponent(text) === part ? text : '';
    }),
  );

/** Parses a path that is a value, not part of an address. */
export const parsePlainPath = <B extends Bucket>(bucket: B, path: string): StoredPath<B> | undefined =>
  toStoredPath(bucket, path.split('/'));

/** Parses `{owner}` or `{owner}/{folders}`, with or without a slash at its end. Drawn images have no folders in that of their owner. */
export function parsePrefix<B extends Bucket>(bucket: B, prefix: string): StoredPath<B> | undefined {
  const [ownerId = '', ...folders] = prefix.replace(/\/$/, '').split('/');
  if (folders.length === 0) return isFolder(ownerId) ? { bucket, ownerId, path: '' } : undefined;
  return buckets[bucket].isDrawn ? undefined : toStoredPath(bucket, [ownerId, ...folders]);
}

/** Undefined for URLs of external pictures, such as those from sign-in providers. */
export function parseStoredUrl(url: string | null): StoredPath<DrawnBucket> | undefined {
  const [, bucket, path = ''] = /^\/api\/storage\/(avatars|logos)\/(.+)$/.exec(url ?? '') ?? [];
  return bucket === undefined ? undefined : parseStoredPath(bucket as DrawnBucket, path);
}

function toStoredPath<B extends Bucket>(
  bucket: B,
  [ownerId = '', ...segments]: readonly string[],
): StoredPath<B> | undefined {
  const path = segments.join('/');
  const isPath = segments.length > 0 && segments.length <= maxSegments && segments.every(isSegment);
  if (!isPath || Buffer.byteLength(path) > maxPathBytes || !isFolder(ownerId)) return undefined;
  return buckets[bucket].isDrawn && !drawnName.test(path) ? undefined : { bucket, ownerId, path };
}

/** @param id  whose time is that of the upload */
export const newStoredPath = <B extends DrawnBucket>(
  bucket: B,
  ownerId: string,
  id: string,
): StoredPath<B> => ({
  bucket,
  ownerId,
  path: `${id}.webp`,
});

/** Makes a segment of the name of a file. */
export function toSegment(name: string): string {
  const kept = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}._ -]/gu, '_')
    .replaceAll(/\.{2,}/g, '.')
    .replace(/^[^\p{L}\p{N}_-]+/u, '');
  return cutText(kept, 200, 'code_point').replace(/[. ]+$/, '') || 'file';
}

/** The path within the bucket, as responses show it. */
export const wholePath = ({ ownerId, path }: Pick<StoredPath, 'ownerId' | 'path'>): string =>
  `${ownerId}/${path}`;

/** The address, relative to the root of this installation; of drawn images also the value of avatar_url or logo_url. */
export const urlOf = (stored: StoredPath): string =>
  `/api/storage/${stored.bucket}/${wholePath(stored).split('/').map(encodeURIComponent).join('/')}`;

/** Key of a drawn image in the file store. */
export const keyOf = (stored: StoredPath<DrawnBucket>): string => `${stored.bucket}/${wholePath(stored)}`;

/** Key of the bytes of a file of the content of an organization. Those of an id never change. */
export const contentKey = (organizationId: string, bytesId: string): string =>
  `content/${organizationId}/${bytesId}`;

/** When a drawn image was made: its name is a UUID of version 7, which begins with the milliseconds since 1970. */
export function madeAt(name: string): number | undefined {
  const id = drawnName.exec(name)?.[1];
  return id === undefined ? undefined : Number.parseInt(id.replace('-', '').slice(0, 12), 16);
}

const decode = (text: string): string => attempt(() => decodeURIComponent(text), '');
