import multipart, { type MultipartFile } from '@fastify/multipart';
import { ORPCError } from '@orpc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { maxFileBytes, type BucketRules } from '@reachout/contract/rules/storage.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import { apiError, badRequest, invalidInput } from '../../platform/http/api-error.ts';
import { refuseEncodedBodies } from '../../platform/http/request-guards.ts';
import { detectFileType } from './file-type.ts';

/**
 * A body is read only once a slot is free, and kept in memory until it is stored. This bounds the number of bodies in memory; one
 * user has at most two. A slow upload, or one to a slow Directus, does not delay those of others.
 */
const limitOf = (bound: string, maxConcurrent: number, maxQueued: number) =>
  createConcurrencyLimiter({ bound, maxConcurrent, maxQueued, maxWaitMs: 20_000 });
const limitOfPerson = limitOf('uploads of a person', 2, 8);
const limitOfOwner = limitOf('uploads of an organization', 2, 20);
const limitOfAll = limitOf('uploads', 12, 100);

interface Uploader {
  userId: string;
  /** That the file is for; undefined if it is for the user. */
  organizationId?: string;
}

/**
 * Prepares a scope for `receiveUpload`: bodies are files, in a form or as they are, and are read only once the caller is known.
 * @returns the options of its routes that receive a file
 */
export async function acceptUploads(
  scope: FastifyInstance,
  { maxBytes = maxFileBytes, fieldSize = 10_000 } = {},
) {
  scope.removeAllContentTypeParsers();
  await scope.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fileSize: maxBytes, files: 1, fields: 20, fieldSize, headerPairs: 50 },
  });
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  refuseEncodedBodies(scope);
  return { bodyLimit: maxBytes + 1_000_000, config: { isUpload: true } };
}

export interface ReceivedFile {
  bytes: Buffer;
  /** As given by the sender; undefined if the body is the file. */
  name: string | undefined;
  /** What precedes the file in the form. */
  fields: Readonly<Record<string, unknown>>;
}

interface Receiving {
  /** What is accepted, by size and first bytes. */
  rules: BucketRules;
  /** Whether the file must be in a form. */
  isForm?: boolean;
  /** From the first byte read to the last. */
  timeoutMs: number;
}

/**
 * Reads the file that a request carries: the part `file` of a form, or the body itself.
 * @param store  runs in a slot that all organizations share, because the file is in memory until it resolves. It may return what
 *   remains to be done outside of that slot, so that no organization waits for the server of another.
 * @throws LimitExceeded when the wait for a slot is too long; 400, also if the body ends too early; 408, 413 `file_too_large`
 *   or `image_too_large`, 415, 422
 */
export const receiveUpload = <T extends object>(
  request: FastifyRequest,
  { userId, organizationId = userId }: Uploader,
  receiving: Receiving,
  store: (received: ReceivedFile) => Promise<T | (() => Promise<T>)>,
): Promise<T> =>
  limitOfPerson(userId, () =>
    limitOfOwner(organizationId, async () => {
      const stored = await limitOfAll('', async () => await store(await receiveFile(request, receiving)));
      return typeof stored === 'function' ? await stored() : stored;
    }),
  );

async function receiveFile(
  request: FastifyRequest,
  { rules, isForm = false, timeoutMs }: Receiving,
): Promise<ReceivedFile> {
  const isInForm = isForm || request.isMultipart();
  const received = await within(timeoutMs, (isInForm ? readForm : readBody)(request, rules));
  const { bytes } = received;
  if (bytes.length === 0) throw invalidInput('file', 'The file is empty.');
  const accepted: readonly string[] | undefined = rules.types;
  if (accepted?.includes(detectFileType(bytes)) === false) throw apiError('invalid_image');
  return received;
}

async function readBody(request: FastifyRequest, rules: BucketRules): Promise<ReceivedFile> {
  const isImage = /^image\//i.test(request.headers['content-type'] ?? '');
  if (rules.types !== undefined && !isImage) throw apiError('unsupported_media_type');
  if (Number(request.headers['content-length'] ?? 0) > rules.maxBytes) throw tooLarge(rules);
  const body = request.body as Readable | undefined;
  return { bytes: body ? await readAll(body, rules) : Buffer.alloc(0), name: undefined, fields: {} };
}

async function readForm(request: FastifyRequest, rules: BucketRules): Promise<ReceivedFile> {
  const { fields, part } = await openForm(request, rules.maxBytes);
  const bytes = await part.toBuffer();
  if (part.file.truncated) throw tooLarge(rules);
  return { bytes, name: part.filename, fields };
}

/**
 * Reads a form up to its file, which is the part `file`.
 * @returns it, and the fields that precede it
 * @throws 415, 422; errors for `refuseBroken`
 */
export async function openForm(
  request: FastifyRequest,
  maxBytes: number,
): Promise<{ fields: Record<string, unknown>; part: MultipartFile }> {
  if (!request.isMultipart()) throw apiError('unsupported_media_type');
  const fields: Record<string, unknown> = {};
  for await (const part of request.parts({ limits: { fileSize: maxBytes } })) {
    if (part.type === 'field') fields[part.fieldname] = part.value;
    else if (part.fieldname === 'file') return { fields, part };
    else throw invalidInput(part.fieldname, 'The file is the part “file”.');
  }
  throw invalidInput('file', 'Choose a file.');
}

/** The body is not destroyed, even if it is not read to its end: the response is sent over the same connection. */
async function readAll(body: Readable, rules: BucketRules): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > rules.maxBytes) throw tooLarge(rules);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function within<T>(timeoutMs: number, reading: Promise<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const rejectAfter = new Promise<never>((_resolve, reject) => {
    late = setTimeout(() => reject(apiError('request_timeout')), timeoutMs);
  });
  try {
    return await Promise.race([reading, rejectAfter]).catch(refuseBroken);
  } finally {
    clearTimeout(late);
  }
}

/** Errors of the stream and of the parser have no status: the body is no form, or its sender broke it off. */
export function refuseBroken(error: unknown): never {
  throw error instanceof ORPCError || (error instanceof Error && 'statusCode' in error)
    ? error
    : badRequest();
}

const tooLarge = ({ isDrawn }: BucketRules) => apiError(isDrawn ? 'image_too_large' : 'file_too_large');
