import type { Sharp } from 'sharp';
import { apiError } from '../../platform/http/api-error.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';

/** Width × height of what is sent. */
const maxPixels = 25_000_000;
/** Longest side of what is kept. */
const keptSize = 512;
const timeLimitSeconds = 10;

/** One at a time in each line: large images of strangers never keep more than one core busy, and one in memory. */
const limitOverall = createConcurrencyLimiter({
  bound: 'image conversions',
  maxConcurrent: 1,
  maxQueued: 20,
  maxWaitMs: 10_000,
});

/** Before that, so that nobody fills the line alone. */
const limitPerOwner = createConcurrencyLimiter({
  bound: 'image conversions of an owner',
  maxConcurrent: 1,
  maxQueued: 2,
  maxWaitMs: 10_000,
});

type ReadImage = (bytes: Buffer, limit?: { limitInputPixels: false }) => Sharp;
let loading: Promise<ReadImage> | undefined;

/** The library is read in with the first image: it takes 60 ms and 20 MB. */
const loadSharp = (): Promise<ReadImage> =>
  (loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    // A second guard behind the signatures: no other decoder of the library runs, least of all that of SVG.
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
    });
    return (bytes, limit) =>
      sharp(bytes, { failOn: 'truncated', limitInputPixels: maxPixels, ...limit }).timeout({
        seconds: timeLimitSeconds,
      });
  }));

/**
 * Makes of any picture one of ours: WebP of at most 512 × 512 pixels, upright, the first one of an animation, without
 * anything that came with it, such as where it was taken. What is kept was drawn here: nothing of the file survives.
 * @param ownerId  the person, or the organization, that it is for
 * @throws 422 `invalid_image`; LimitExceeded
 */
export async function toStoredImage(bytes: Buffer, ownerId: string): Promise<Buffer> {
  const type = typeOf(bytes);
  if (type === undefined) throw invalidImage('Send a PNG, JPEG, WebP or GIF image.');
  const make = async () => {
    const read = await loadSharp();
    // Reads the header alone, so that a small file that unfolds to gigabytes never does.
    const { format, width, height, pageHeight } = await orInvalid(
      read(bytes, { limitInputPixels: false }).metadata(),
    );
    if (format !== type) throw invalidImage(unreadable);
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
 * A stored image, small enough to stand in a response or a page. Waits for no upload.
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
 * A stored image as every mail program shows it: some know no WebP.
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

const invalidImage = (message: string) => apiError('invalid_image', undefined, message);

async function orInvalid<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding;
  } catch {
    throw invalidImage(unreadable);
  }
}

/** By content: names and headers are what a stranger says. */
function typeOf(bytes: Buffer): 'png' | 'jpeg' | 'webp' | 'gif' | undefined {
  const head = bytes.subarray(0, 12).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp';
  return undefined;
}
