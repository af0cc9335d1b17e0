import { finished } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthorizedRequest } from '../access/authorize-request.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
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

/**
 * Sends a file with its type, and with headers that keep browsers from running it, sniffing its type or sharing it with
 * other sites. Resolves once the client has received it, has disconnected, or was cut off.
 * @param name  under which it is saved
 * @param isShown  whether browsers may show it
 * @param isPublic  whether pages of other origins embed it, such as those of webmail
 */
export async function sendFile(
  reply: FastifyReply,
  { type, name }: { type: string; name?: string },
  bytes: Buffer,
  { isShown = true, isPublic = false }: { isShown?: boolean; isPublic?: boolean } = {},
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

/**
 * Lets the browser of the caller keep the file.
 * @param version  changes with the content
 * @param control  `max-age=86400` if the content at the address never changes, or `no-cache`
 * @returns whether the browser has it already: respond 304
 */
export function isUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  version: string,
  control: 'max-age=86400' | 'no-cache',
): boolean {
  void reply.headers({ 'cache-control': `private, ${control}`, etag: `"${version}"` });
  return request.headers['if-none-match'] === `"${version}"`;
}
