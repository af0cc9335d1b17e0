import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { apiError } from '../../platform/http/api-error.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import { toStoredImage } from './image.ts';

const maxBytes = 5_000_000;

/**
 * Nothing of a body is read before its turn, and the place is kept until the image is made: so many bodies are in
 * memory at most, of one person two. Anyone who sends slowly keeps up nobody else.
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

/** Whose image it is. */
export interface Uploader {
  userId: string;
  /** The person, or the organization, whose folder it goes to. */
  ownerId: string;
}

/**
 * Reads the body of an upload, at most 5 MB of it, and makes one of our images of it.
 * @param bodyTimeoutMs  from the first byte that is read to the last
 * @throws 408, 413 `image_too_large`, 415, 422 `invalid_image`; LimitExceeded
 */
export async function receiveImage(
  request: FastifyRequest,
  { userId, ownerId }: Uploader,
  bodyTimeoutMs = 30_000,
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

/** The response goes out over the same connection: the body is not destroyed, even where it is not read to its end. */
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
      // As the app responds to requests that it cannot read.
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
