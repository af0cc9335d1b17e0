import type { Subject } from '../abilities.ts';

/** The kinds of files: the named buckets of the file storage, what each of them takes, and what shows its images. */

/** Types that browsers display natively and never execute. */
export const shownFileTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const;

const drawnTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

/** Whether a browser may show a file inline. Others are downloads, including SVG, which can contain scripts. */
export const isShown = (type: string): boolean => shownFileTypes.some((shown) => shown === type);

/** Limit of a file in the content of an organization. */
export const maxFileBytes = 10_000_000;

/** Limit of a file that is imported: it is read as a stream, and never stored as a file. */
export const maxImportBytes = 50_000_000;

/** Limit for an image in emails: larger ones load too slowly. */
export const maxPublicBytes = 5_000_000;

export interface BucketRules {
  /** Accepted types, by the first bytes; undefined for any. */
  types: readonly string[] | undefined;
  maxBytes: number;
  /** Whether only a new drawing of the image is stored, under a generated name. Otherwise the bytes are stored unchanged. */
  isDrawn: boolean;
  /** Whether browsers may show a file. Others are saved. */
  isShown: boolean;
  /** Whether a file can have an address for everyone. */
  canBePublic: boolean;
}

const drawn = {
  types: drawnTypes,
  maxBytes: 5_000_000,
  isDrawn: true,
  isShown: true,
  canBePublic: false,
} as const satisfies BucketRules;

export const buckets = {
  avatars: drawn,
  logos: drawn,
  images: {
    types: shownFileTypes,
    maxBytes: maxFileBytes,
    isDrawn: false,
    isShown: true,
    canBePublic: true,
  },
  documents: {
    types: undefined,
    maxBytes: maxFileBytes,
    isDrawn: false,
    isShown: false,
    canBePublic: false,
  },
} as const satisfies Record<string, BucketRules>;

export type Bucket = keyof typeof buckets;

export const bucketNames = Object.keys(buckets) as [Bucket, ...Bucket[]];

/** The buckets whose images are drawn anew. */
export type DrawnBucket = 'avatars' | 'logos';

/** The buckets whose paths the caller chooses: files of the content, which need permissions for `Content`. */
export const contentBuckets = ['images', 'documents'] as const satisfies Bucket[];
export type ContentBucket = (typeof contentBuckets)[number];

/** An image that a record shows: an upload replaces it. */
interface RecordImage {
  /** Where it is uploaded: the bucket, and the path in it. */
  target: `${DrawnBucket}/${string}`;
  table: 'users' | 'organizations' | 'clients' | 'brands';
  /** Has the URL of the image. */
  column: string;
  /** Whose permissions to read and update it needs. Undefined for users, who change their own, and whose colleagues see it. */
  subject: Subject | undefined;
}

export const recordImages = {
  avatar: { target: 'avatars/me', table: 'users', column: 'avatar_url', subject: undefined },
  organizationLogo: {
    target: 'logos/organizations/{id}',
    table: 'organizations',
    column: 'logo_url',
    subject: 'Organization',
  },
  clientLogo: { target: 'logos/clients/{id}', table: 'clients', column: 'logo_url', subject: 'Client' },
  brandLogo: { target: 'logos/brands/{id}', table: 'brands', column: 'logo_url', subject: 'Brand' },
  darkLogo: { target: 'logos/brands/{id}/dark', table: 'brands', column: 'dark_logo_url', subject: 'Brand' },
} as const satisfies Record<string, RecordImage>;

export type ImageKind = keyof typeof recordImages;
/** The images of records that an organization has. */
export type LogoKind = Exclude<ImageKind, 'avatar'>;

export const imageKinds = Object.keys(recordImages) as ImageKind[];

/** Where an image is uploaded, below `/api/`. @param id  of its record */
export const uploadPathOf = (kind: ImageKind, id: string): string =>
  `storage/${recordImages[kind].target.replace('{id}', id)}`;

/** Limit of a path within the folder of its organization, in UTF-8 bytes. */
export const maxPathBytes = 2_000;

/** The longest time after which a signed address ends. */
export const maxSignedSeconds = 7 * 24 * 3_600;

/** The most files of an organization. */
export const maxFiles = 5_000;
