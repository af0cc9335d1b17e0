import { finished } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { buckets, type Bucket } from '@reachout/contract/rules/storage.ts';
import type { AuthorizedRequest } from '../access/membership.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import { orNotFound } from '../../platform/http/api-error.ts';
import { networkOf } from '../../platform/ip-prefix.ts';

/**
 * Files are in memory until the client has received them: as many as its share of unread responses has room for. Further ones
 * wait, because browsers request the pictures of a page all at once.
 */
const limitOf = (bound: string, maxConcurrent: number) =>
  createConcurrencyLimiter({ bound, maxConcurrent, maxQueued: 200, maxWaitMs: 20_000 });
const limitOfPerson = limitOf('downloads of one person', 4);
const limitOfOrganization = limitOf('downloads of one organization', 6);
/** Smaller than the others in bytes: images for the public have at most 5 MB. */
const limitOfNetwork = limitOf('public files of one network', 12);
const limitOfSigned = limitOf('signed files of one network', 6);

/**
 * @param work  reads a file and sends it
 * @throws LimitExceeded when the wait for a slot is too long
 */
export const limitDownloads = <T>(
  { userId, organizationId }: Pick<AuthorizedRequest, 'userId' | 'organizationId'>,
  work: () => Promise<T>,
): Promise<T> => limitOfPerson(userId, () => limitOfOrganization(organizationId, work));

/** Like `limitDownloads`, for people who are not signed in. */
export const limitPublicDownloads = <T>(
  { ip }: Pick<FastifyRequest, 'ip'>,
  kind: 'public' | 'signed',
  work: () => Promise<T>,
): Promise<T> => (kind === 'signed' ? limitOfSigned : limitOfNetwork)(networkOf(ip), work);

/** A stored file, as its row describes it. */
export interface SentFile {
  /** Id of its bytes, which never change: a file that is replaced gets others. */
  bytes_id: string;
  type: string;
  /** Whose rules apply; undefined for a drawing, which browsers may show. */
  bucket?: Bucket;
  /** Name under which it is saved. */
  filename_download?: string;
  /** In bytes; undefined if that is known only once it is read. */
  filesize?: number;
}

/** Who keeps a file, and for how long. */
const caching = {
  /** The browser of the caller: the content at the address never changes. */
  day: 'private, max-age=86400',
  /** The browser of the caller, which asks each time whether the file was replaced. */
  revalidated: 'private, no-cache',
  /** Everyone; pages of other origins embed it, such as those of webmail. */
  public: 'public, max-age=3600',
  never: 'no-store',
};

interface Sending<F extends SentFile> {
  find: () => Promise<F | undefined>;
  read: (file: F) => Promise<Buffer | undefined>;
  kept: keyof typeof caching;
  /** Whether it is saved even if browsers may show it. */
  isDownload?: boolean;
}

/**
 * Sends a stored file. If it is replaced between the lookup of its row and the reading, the new one is sent.
 * @throws 404 if it is not there; errors of `find` and `read`
 */
export async function sendStored<F extends SentFile>(
  request: FastifyRequest,
  reply: FastifyReply,
  { find, read, kept, isDownload = false }: Sending<F>,
): Promise<FastifyReply> {
  const isRevalidated = kept === 'day' || kept === 'revalidated';
  const etagOf = ({ bytes_id }: F) => `"${bytes_id}"`;
  const readReserved = async (file: F) => {
    if (file.filesize !== undefined) request.server.reserveResponse(request, file.filesize);
    const bytes = await read(file);
    return bytes && { file, bytes };
  };

  const first = orNotFound(await find());
  void reply.header('cache-control', caching[kept]);
  if (isRevalidated && !isDownload && request.headers['if-none-match'] === etagOf(first))
    return await reply.header('etag', etagOf(first)).code(304).send();
  const findNext = async () => {
    const next = await find();
    return next?.bytes_id === first.bytes_id ? undefined : next && (await readReserved(next));
  };
  const found = orNotFound((await readReserved(first)) ?? (await findNext()));
  const { file, bytes } = found;
  if (file.filesize === undefined) request.server.reserveResponse(request, bytes.length);
  if (isRevalidated) void reply.header('etag', etagOf(file));
  const isShown = !isDownload && (file.bucket === undefined || buckets[file.bucket].isShown);
  return await sendFile(reply, { type: file.type, name: file.filename_download }, bytes, {
    isShown,
    isPublic: kept === 'public',
  });
}

/**
 * Sends a file with its type, and with headers that keep browsers from running it, sniffing its type or sharing it with
 * other sites. Resolves once the client has received it, has disconnected, or was cut off.
 * @param name  under which it is saved
 * @param isShown  whether browsers may show it
 * @param isPublic  whether pages of other origins embed it, such as those of webmail
 */
export async function sendFile(
  reply: FastifyReply,
  { type, name }: { type: string; name?: string | undefined },
  bytes: Buffer,
  { isShown, isPublic = false }: { isShown: boolean; isPublic?: boolean },
): Promise<FastifyReply> {
  if (name !== undefined)
    reply.header(
      'content-disposition',
      // RFC 6266, section 4.3: the name in UTF-8.
      `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name)}`,
    );
  void reply
    .headers({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': isPublic ? 'cross-origin' : 'same-origin',
    })
    .send(bytes);
  // Until the client has received everything, has disconnected, or was cut off (platform/http/open-responses.ts).
  await finished(reply.raw).catch(() => undefined);
  return reply;
}
