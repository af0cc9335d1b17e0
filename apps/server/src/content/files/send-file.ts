import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import type { AuthorizedRequest } from '../../identity/access/authorize-request.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import { isShown } from './file-type.ts';
import type { FileRow } from './files.queries.ts';

/**
 * Files are in memory until the client has received them: as many as its share of unread responses has room for. Further ones
 * wait, because browsers request the pictures of a page all at once.
 */
const limitOf = (bound: string, maxConcurrent: number) =>
  createConcurrencyLimiter({ bound, maxConcurrent, maxQueued: 200, maxWaitMs: 20_000 });
const limitOfPerson = limitOf('content downloads of one person', 4);
const limitOfOrganization = limitOf('content downloads of one organization', 6);

/**
 * @param work  reads a file and sends it
 * @throws LimitExceeded when the wait for a slot is too long
 */
export const limitDownloads = <T>(
  { userId, organizationId }: Pick<AuthorizedRequest, 'userId' | 'organizationId'>,
  work: () => Promise<T>,
): Promise<T> => limitOfPerson(userId, () => limitOfOrganization(organizationId, work));

/**
 * Sends a file with its type, and with headers that keep browsers from running it, sniffing its type or sharing it with
 * other sites. Resolves once the client has received it, has disconnected, or was cut off.
 */
export async function sendFile(
  reply: FastifyReply,
  { type, filename_download }: Pick<FileRow, 'type' | 'filename_download'>,
  bytes: Buffer,
  { isDownload }: { isDownload: boolean },
): Promise<FastifyReply> {
  void reply
    .headers({
      'content-type': type,
      // RFC 6266, section 4.3: the name in UTF-8.
      'content-disposition': `${isShown(type) && !isDownload ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(filename_download)}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
    })
    .send(bytes);
  await settle(reply.raw);
  return reply;
}

/** Waits until the client has received everything, has disconnected, or was cut off (platform/http/open-responses.ts). */
export async function settle(response: ServerResponse): Promise<void> {
  await finished(response).catch(() => undefined);
}
