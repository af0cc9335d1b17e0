import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUuid } from '../../platform/ids.ts';
import { createPublicLogos } from './public-logo.ts';

const address = /^([\da-f-]{36})(-dark)?\.png$/;

/**
 * `/l/{brand}.png` and `/l/{brand}-dark.png`: the logo in emails and on the pages for their readers. The address stays when the
 * logo is replaced, so that emails in people's mailboxes never show a broken picture.
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
    return await reply
      .headers({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        // Web mail shows it on pages of other origins.
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'public, max-age=3600',
      })
      .send(png);
  });
}
