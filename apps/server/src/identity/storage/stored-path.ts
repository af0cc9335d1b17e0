import type { Bucket } from '@reachout/contract/rules/storage.ts';
import { isUuid } from '../../platform/ids.ts';

/** The buckets of images that are drawn anew, under generated names. */
const drawnBuckets = ['avatars', 'logos'] as const satisfies Bucket[];
export type DrawnBucket = (typeof drawnBuckets)[number];

/** The records that have a logo. */
export const logoKinds = ['organizations', 'clients', 'brands'] as const;
export type LogoKind = (typeof logoKinds)[number];

/** Column with the URL of a logo: for light backgrounds, or for brands also for dark ones. */
export type LogoColumn = 'logo_url' | 'dark_logo_url';

export interface LogoTarget {
  kind: LogoKind;
  id: string;
  column: LogoColumn;
}

/** Target of an upload: an avatar, or the logo of a record. */
export type UploadTarget = { bucket: 'avatars' } | ({ bucket: 'logos' } & LogoTarget);

/** A stored file: the user or organization that owns its folder, and its location. */
export interface StoredPath {
  bucket: DrawnBucket;
  ownerId: string;
  /** Within the bucket: `{owner}/{name}.webp`. */
  path: string;
  /** The value of avatar_url or logo_url, relative to the root of this installation. */
  url: string;
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const fileName = new RegExp(`^(${uuid})\\.webp$`);
const storedPath = new RegExp(`^(${uuid})/(${uuid})\\.webp$`);
const ownerFolder = new RegExp(`^(${uuid})/?$`);

const isDrawnBucket = (text: string): text is DrawnBucket => drawnBuckets.some((bucket) => bucket === text);

/**
 * `avatars/me`, `logos/organizations/{id}`, `logos/clients/{id}`, `logos/brands/{id}` or `logos/brands/{id}/dark`; undefined
 * for anything else.
 */
export function parseTarget(bucket: string, path: string): UploadTarget | undefined {
  if (bucket === 'avatars') return path === 'me' ? { bucket } : undefined;
  const [kind, id, ...rest] = path.split('/');
  const known = logoKinds.find((name) => name === kind);
  if (bucket !== 'logos' || known === undefined || !isUuid(id)) return undefined;
  if (rest.length === 0) return { bucket, kind: known, id, column: 'logo_url' };
  const isDark = known === 'brands' && rest.length === 1 && rest[0] === 'dark';
  return isDark ? { bucket, kind: known, id, column: 'dark_logo_url' } : undefined;
}

/**
 * Accepts only paths that this server could have generated: no `..`, backslashes, escapes or other extensions. Does not
 * check whether the file exists.
 */
export function parseStoredPath(bucket: string, path: string): StoredPath | undefined {
  const ownerId = storedPath.exec(path)?.[1];
  return ownerId === undefined || !isDrawnBucket(bucket)
    ? undefined
    : { bucket, ownerId, path, url: urlOf(bucket, path) };
}

/** Undefined for URLs of external pictures, such as those from sign-in providers. */
export function parseStoredUrl(url: string | null): StoredPath | undefined {
  const [, bucket = '', path = ''] = /^\/api\/storage\/(\w+)\/(.+)$/.exec(url ?? '') ?? [];
  return parseStoredPath(bucket, path);
}

/** The owner of a folder: only whole folders can be listed. */
export const parseFolder = (prefix: string): string | undefined => ownerFolder.exec(prefix)?.[1];

export const newStoredPath = (bucket: DrawnBucket, ownerId: string, id: string): StoredPath => {
  const path = `${ownerId}/${id}.webp`;
  return { bucket, ownerId, path, url: urlOf(bucket, path) };
};

/** Key of the file in the file store. */
export const keyOf = ({ bucket, path }: Pick<StoredPath, 'bucket' | 'path'>): string => `${bucket}/${path}`;

/** Key of the bytes of a file of the content of an organization. Those of an id never change. */
export const contentKey = (organizationId: string, bytesId: string): string =>
  `content/${organizationId}/${bytesId}`;

/** When a file was created: its name is a UUID of version 7, which begins with the milliseconds since 1970. */
export function madeAt(name: string): number | undefined {
  const id = fileName.exec(name)?.[1];
  return id === undefined ? undefined : Number.parseInt(id.replace('-', '').slice(0, 12), 16);
}

const urlOf = (bucket: DrawnBucket, path: string): string => `/api/storage/${bucket}/${path}`;
