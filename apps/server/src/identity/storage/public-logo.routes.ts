import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUuid } from '../../platform/ids.ts';
import { createPublicLogos } from './public-logo.ts';
import { sendFile } from './send-file.ts';

const address = /^([\da-f-]{36})(-dark)?\.png$/;

/**
 * `/l/{brand}.png` and `/l/{brand}-dark.png`: the logo in emails and on pages for their recipients. The URL stays the
 * same when the logo is replaced, so that delivered emails never show a broken image.
 */
export function registerPublicLogos(
  app: FastifyInstance,
  deps: Parameters<typeof createPublicLogos>[0],
): void {
  const read = createPublicLogos(deps);
  app.get('/l/:file', async (request: FastifyRequest<{ Params: { file: string } }>, reply) => {
    const [, brandId, dark] = address.exec(request.params.file) ?? [];
    const png = isUuid(brandId)
      ? await read(brandId, dark === undefined ? 'logo_url' : 'dark_logo_url')
      : undefined;
    if (png === undefined) return await reply.code(404).header('cache-control', 'no-store').send();
    void reply.header('cache-control', 'public, max-age=3600');
    return await sendFile(reply, { type: 'image/png' }, png, { isPublic: true });
  });
}
