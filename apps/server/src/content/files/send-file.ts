import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import { isShown } from './file-type.ts';
import type { FileRow } from './files.queries.ts';

/** The bytes of a file, as what they are; nothing that a browser would run, sniff or lend to other sites. */
export const sendFile = (
  reply: FastifyReply,
  { type, filename_download }: Pick<FileRow, 'type' | 'filename_download'>,
  bytes: Buffer,
  { isDownload }: { isDownload: boolean },
) =>
  reply
    .headers({
      'content-type': type,
      // RFC 6266, section 4.3: the name in UTF-8.
      'content-disposition': `${isShown(type) && !isDownload ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(filename_download)}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
    })
    .send(bytes);

const maxSendMs = 120_000;

/** Until the reader has all of it, or is gone: as long it is in memory. */
export async function settle(response: ServerResponse): Promise<void> {
  const late = setTimeout(() => response.destroy(), maxSendMs);
  await finished(response).catch(() => undefined);
  clearTimeout(late);
}
