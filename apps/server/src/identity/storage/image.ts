import { ORPCError } from '@orpc/contract';
import type { Metadata, Sharp } from 'sharp';
import { apiError } from '../../platform/http/api-error.ts';
import { LimitExceeded, retryAfter } from '../../platform/limit-exceeded.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import { detectFileType } from './file-type.ts';

/** Maximum width × height of an uploaded image. */
const maxPixels = 25_000_000;
/** Of an animation: width × height × frames. */
const maxAnimatedPixels = 50_000_000;
/** Longest side of a stored image, in pixels. */
const keptSize = 512;
const timeLimitSeconds = 10;

/**
 * One conversion at a time per queue (uploads, thumbnails, public images): large uploads occupy at most one core, and only one is
 * decoded in memory.
 */
const limitOverall = createConcurrencyLimiter({
  bound: 'image conversions',
  maxConcurrent: 1,
  maxQueued: 20,
  maxWaitMs: 10_000,
});

/** Applied before `limitOverall`, so that one owner cannot fill its queue. */
const limitPerOwner = createConcurrencyLimiter({
  bound: 'image conversions of an owner',
  maxConcurrent: 1,
  maxQueued: 2,
  maxWaitMs: 10_000,
});

type ReadImage = (
  bytes: Buffer,
  options?: { limitInputPixels?: number | false; animated?: boolean },
) => Sharp;
let loading: Promise<ReadImage> | undefined;

/** The library is loaded with the first image: it takes 60 ms and 20 MB. */
const loadSharp = (): Promise<ReadImage> =>
  (loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    // A second check besides the file signatures: no other decoder of the library runs, least of all that for SVG. Heif is
    // that of AVIF.
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: [
        'VipsForeignLoadPng',
        'VipsForeignLoadJpeg',
        'VipsForeignLoadWebp',
        'VipsForeignLoadNsgif',
        'VipsForeignLoadHeif',
      ],
    });
    return (bytes, options) =>
      sharp(bytes, { failOn: 'truncated', limitInputPixels: maxPixels, ...options }).timeout({
        seconds: timeLimitSeconds,
      });
  }));

/**
 * Converts any picture to WebP of at most 512 × 512 pixels, upright, the first frame of an animation, without metadata
 * such as the location. The stored image is encoded here: nothing of the uploaded file survives.
 * @param ownerId  the user or organization that the image is for
 * @throws 422 `invalid_image`; LimitExceeded
 */
export async function toStoredImage(bytes: Buffer, ownerId: string): Promise<Buffer> {
  const type = detectFileType(bytes);
  const make = async () => {
    const read = await loadSharp();
    // Reads only the header, so that a small file that would expand to gigabytes is never decoded.
    const { format, width, height, pageHeight } = await orInvalid(
      read(bytes, { limitInputPixels: false }).metadata(),
    );
    if (`image/${format}` !== type) throw invalidImage(unreadable);
    if (width * (pageHeight ?? height) > maxPixels) throw invalidImage('An image has at most 25 megapixels.');
    return await orInvalid(
      read(bytes)
        .autoOrient()
        .resize({ width: keptSize, height: keptSize, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 85 })
        .toBuffer(),
    );
  };
  return await limitPerOwner(ownerId, () => limitOverall('uploads', make));
}

/**
 * Draws an image for the public, in its own format and size: upright, in sRGB, and without metadata such as the author and
 * the location. An animation keeps its frames.
 * @param ownerId  the organization that the image belongs to
 * @throws 422 `invalid_image`; LimitExceeded
 */
export async function drawAnew(bytes: Buffer, ownerId: string): Promise<Buffer> {
  const make = async () => {
    const read = await loadSharp();
    const info = await orInvalid(read(bytes, { limitInputPixels: false }).metadata());
    const { format, width, height, pageHeight, pages = 1 } = info;
    if (!isDrawn(format)) throw invalidImage(unreadable);
    if (width * (pageHeight ?? height) * pages > (pages > 1 ? maxAnimatedPixels : maxPixels))
      throw invalidImage(
        'A public image has at most 25 megapixels, and an animation at most 50 in all frames.',
      );
    // An animation has no orientation to apply, and turning it would need all frames in memory.
    const drawn =
      pages > 1 && format !== 'heif'
        ? read(bytes, { animated: true, limitInputPixels: maxAnimatedPixels })
        : read(bytes).autoOrient();
    return await orInvalid(drawnAs[format](drawn, info).toBuffer());
  };
  return await limitPerOwner(ownerId, () => limitOverall('public images', make));
}

/** How each format is written: close to the original, and about as large. The library writes no metadata unless told to. */
const drawnAs = {
  png: (image, { isPalette }) => image.png({ compressionLevel: 9, palette: isPalette }),
  jpeg: (image) => image.jpeg({ quality: 90 }),
  webp: (image) => image.webp({ quality: 90 }),
  gif: (image) => image.gif(),
  heif: (image) => image.avif({ quality: 60, effort: 2 }),
} as const satisfies Record<string, (image: Sharp, info: Metadata) => Sharp>;

const isDrawn = (format: string): format is keyof typeof drawnAs => format in drawnAs;

/**
 * @returns a stored image, small enough to embed in a response or a page. Does not wait for uploads.
 * @param size  longest side in pixels
 */
export const toThumbnail = (stored: Buffer, size: number): Promise<Buffer> =>
  limitOverall('thumbnails', async () =>
    (await loadSharp())(stored)
      .resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 75, alphaQuality: 50 })
      .toBuffer(),
  );

/**
 * @returns a stored image as PNG: some mail programs do not support WebP
 * @param size  longest side in pixels
 */
export const toPng = (stored: Buffer, size: number): Promise<Buffer> =>
  limitOverall('thumbnails', async () =>
    (await loadSharp())(stored)
      .resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .toBuffer(),
  );

const unreadable = 'This image is damaged, or is not what it says it is.';

/** Whether an image cannot be converted, whoever tries. */
export const isInvalidImage = (error: unknown): error is ORPCError<string, unknown> =>
  error instanceof ORPCError && error.code === 'invalid_image';

const invalidImage = (message: string) => apiError('invalid_image', undefined, message);

async function orInvalid<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding;
  } catch (error) {
    // By the clock: with at most 25 megapixels, only a busy machine takes so long.
    if (error instanceof Error && error.message.startsWith('timeout:'))
      throw new LimitExceeded('time of an image', 'unavailable', retryAfter(timeLimitSeconds * 1_000));
    throw invalidImage(unreadable);
  }
}
