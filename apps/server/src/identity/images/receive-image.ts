import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { apiError } from '../../platform/http/api-error.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import { toStoredImage } from './image.ts';

const maxBytes = 5_000_000;

/**
 * A body is read only once a slot is free, and the slot is held until the image is converted. This bounds the number of
 * bodies in memory; one user has at most two. A slow upload does not delay those of other users.
 */
const maxWaitMs = 20_000;
const limitPerUser = createConcurrencyLimiter({
  bound: 'image uploads of a person',
  maxConcurrent: 2,
  maxQueued: 8,
  maxWaitMs,
});
const limitOverall = createConcurrencyLimiter({
  bound: 'image uploads',
  maxConcurrent: 12,
  maxQueued: 100,
  maxWaitMs,
});

/** Uploading user and owner of an image. */
export interface Uploader {
  userId: string;
  /** The user or organization whose folder the image is stored in. */
  ownerId: string;
}

/**
 * Reads the body of an upload, at most 5 MB, and converts it to a stored image.
 * @param bodyTimeoutMs  from the first byte read to the last
 * @throws 408, 413 `image_too_large`, 415, 422 `invalid_image`; LimitExceeded
 */
export async function receiveImage(
  request: FastifyRequest,
  { userId, ownerId }: Uploader,
  bodyTimeoutMs: number,
): Promise<Buffer> {
  if (!/^image\//i.test(request.headers['content-type'] ?? '')) throw apiError('unsupported_media_type');
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const body = request.body as Readable | undefined;
  return await limitPerUser(userId, () =>
    limitOverall('', async () =>
      toStoredImage(body ? await readBody(body, bodyTimeoutMs) : Buffer.alloc(0), ownerId),
    ),
  );
}

/** The body is not destroyed, even if it is not read to its end: the response is sent over the same connection. */
async function readBody(body: Readable, timeoutMs: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let late: NodeJS.Timeout | undefined;
  const read = async () => {
    let length = 0;
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };
  const rejectAfter = new Promise<never>((_resolve, reject) => {
    late = setTimeout(
      // The same response as to other requests that cannot be read.
      () => reject(Object.assign(new Error('The request came too slowly.'), { statusCode: 408 })),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([read(), rejectAfter]);
  } finally {
    clearTimeout(late);
    chunks.length = 0;
  }
}

const tooLarge = () => apiError('image_too_large');
