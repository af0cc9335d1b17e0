import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { callError } from '../platform/call-error.ts';
import { toStoredImage } from './image.ts';

const maxBytes = 5_000_000;

/**
 * Reads the body of an upload, at most 5 MB of it, and makes one of our images of it.
 * @throws 413 `image_too_large`, 415, 422 `invalid_image`
 */
export async function receiveImage(request: FastifyRequest): Promise<Buffer> {
  if (!/^image\//i.test(request.headers['content-type'] ?? ''))
    throw callError(415, 'unsupported_media_type', 'Send the image itself, as image/png or the like.');
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  // The answer goes out over the same connection: the body must not be destroyed with the loop.
  const body = (request.body as Readable | undefined)?.iterator({ destroyOnReturn: false }) ?? [];
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return await toStoredImage(Buffer.concat(chunks));
}

const tooLarge = () => callError(413, 'image_too_large', 'An image has at most 5 MB.');
