import multipart, { type MultipartFile } from '@fastify/multipart';
import { ORPCError } from '@orpc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { maxFileBytes, type BucketRules } from '@reachout/contract/rules/storage.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import { apiError, badRequest, invalidInput } from '../../platform/http/api-error.ts';
import { refuseEncodedBodies } from '../../platform/http/request-guards.ts';

/**
 * A body is read only once a slot is free, and kept in memory until it is stored. This bounds the number of bodies in memory; one
 * user has at most two. A slow upload, or one to a slow Directus, does not delay those of others.
 */
const maxWaitMs = 20_000;
const limitOfPerson = createConcurrencyLimiter({
  bound: 'uploads of a person',
  maxConcurrent: 2,
  maxQueued: 8,
  maxWaitMs,
});
const limitOfOwner = createConcurrencyLimiter({
  bound: 'uploads of an organization',
  maxConcurrent: 2,
  maxQueued: 20,
  maxWaitMs,
});
const limitOfAll = createConcurrencyLimiter({
  bound: 'uploads',
  maxConcurrent: 12,
  maxQueued: 100,
  maxWaitMs,
});

export interface Uploader {
  userId: string;
  /** The user or organization that the file is for. */
  ownerId: string;
}

/**
 * @param receive  runs in a slot that all organizations share; it resolves with the remaining work, which runs outside of
 *   that slot, so that no organization waits for the server of another
 * @throws LimitExceeded when the wait for a slot is too long
 */
export const limitUploads = <T>(
  { userId, ownerId }: Uploader,
  receive: () => Promise<() => Promise<T>>,
): Promise<T> =>
  limitOfPerson(userId, () =>
    limitOfOwner(ownerId, async () => {
      const finish = await limitOfAll('', receive);
      return await finish();
    }),
  );

/** Options of the routes that receive a file. */
export const isUpload = { bodyLimit: maxFileBytes + 1_000_000, config: { isUpload: true } };

/** Prepares a scope for `receiveFile`: bodies are files, in a form or as they are, and are read only once the caller is known. */
export async function acceptUploads(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  await scope.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fileSize: maxFileBytes, files: 1, fields: 20, fieldSize: 10_000, headerPairs: 50 },
  });
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  refuseEncodedBodies(scope);
}

export interface ReceivedFile {
  bytes: Buffer;
  /** As given by the sender; undefined if the body is the file. */
  name: string | undefined;
  /** What precedes the file in the form. */
  fields: Readonly<Record<string, unknown>>;
}

/**
 * Reads the file that a request carries: the part `file` of a form, or the body itself. Call it within `limitUploads`.
 * @param timeoutMs  from the first byte read to the last
 * @throws 400, also if the body ends too early; 408, 413 `file_too_large` or `image_too_large`, 415, 422
 */
export async function receiveFile(
  request: FastifyRequest,
  rules: BucketRules,
  timeoutMs: number,
): Promise<ReceivedFile> {
  const received = request.isMultipart()
    ? await within(timeoutMs, () => readForm(request, rules))
    : await receiveBody(request, rules, timeoutMs);
  if (received.bytes.length === 0) throw invalidInput('file', 'The file is empty.');
  return received;
}

async function receiveBody(
  request: FastifyRequest,
  rules: BucketRules,
  timeoutMs: number,
): Promise<ReceivedFile> {
  const isImage = /^image\//i.test(request.headers['content-type'] ?? '');
  if (rules.types !== undefined && !isImage) throw apiError('unsupported_media_type');
  if (Number(request.headers['content-length'] ?? 0) > rules.maxBytes) throw tooLarge(rules);
  const body = request.body as Readable | undefined;
  const bytes = body ? await within(timeoutMs, () => readBody(body, rules)) : Buffer.alloc(0);
  return { bytes, name: undefined, fields: {} };
}

/** Reads the first file of a form, with the fields that precede it. */
async function readForm(request: FastifyRequest, rules: BucketRules): Promise<ReceivedFile> {
  const fields: Record<string, unknown> = {};
  const part = await findFile(request, rules, fields);
  if (part?.fieldname !== 'file') throw invalidInput('file', 'Choose a file.');
  const bytes = await part.toBuffer();
  if (part.file.truncated) throw tooLarge(rules);
  return { bytes, name: part.filename, fields };
}

async function findFile(
  request: FastifyRequest,
  { maxBytes }: BucketRules,
  fields: Record<string, unknown>,
): Promise<MultipartFile | undefined> {
  const parts = request.parts({ limits: { fileSize: maxBytes } });
  for (;;) {
    const { value: part } = (await parts.next()) as IteratorResult<MultipartFile, undefined>;
    if (part === undefined || 'file' in part) return part;
    fields[(part as { fieldname: string }).fieldname] = (part as { value: unknown }).value;
  }
}

/** The body is not destroyed, even if it is not read to its end: the response is sent over the same connection. */
async function readBody(body: Readable, rules: BucketRules): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > rules.maxBytes) throw tooLarge(rules);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function within<T>(timeoutMs: number, read: () => Promise<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const rejectAfter = new Promise<never>((_resolve, reject) => {
    late = setTimeout(
      // The same response as to other requests that cannot be read.
      () => reject(Object.assign(new Error('The request came too slowly.'), { statusCode: 408 })),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([read(), rejectAfter]);
  } catch (error) {
    // Errors of the stream and of the parser have no status: the body is no form, or its sender broke it off.
    throw error instanceof ORPCError || (error instanceof Error && 'statusCode' in error)
      ? error
      : badRequest();
  } finally {
    clearTimeout(late);
  }
}

const tooLarge = ({ isDrawn }: BucketRules) => apiError(isDrawn ? 'image_too_large' : 'file_too_large');
