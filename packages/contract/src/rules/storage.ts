/** The named buckets of the file storage, and what each of them takes. */

/** Types that browsers display natively and never execute. */
export const shownFileTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const;

export const logoTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

/** Limit of a file in the content of an organization. */
export const maxFileBytes = 10_000_000;

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

export const buckets = {
  avatars: {
    types: logoTypes,
    maxBytes: 5_000_000,
    isDrawn: true,
    isShown: true,
    canBePublic: false,
  },
  logos: {
    types: logoTypes,
    maxBytes: 5_000_000,
    isDrawn: true,
    isShown: true,
    canBePublic: false,
  },
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

/** The buckets whose paths the caller chooses. */
export const contentBuckets = ['images', 'documents'] as const satisfies Bucket[];
export type ContentBucket = (typeof contentBuckets)[number];

/** Limit of a path within the folder of its organization, in UTF-8 bytes. */
export const maxPathBytes = 2_000;

/** The longest time after which a signed address ends. */
export const maxSignedSeconds = 7 * 24 * 3_600;

/** The most files of an organization. */
export const maxFiles = 5_000;
