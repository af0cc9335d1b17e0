import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { allowInlineScripts } from './platform/http/allow-inline-scripts.ts';
import { unknownPath } from './platform/http/api-error.ts';
import { sendProblem } from './platform/http/request-guards.ts';

/**
 * Serves the built web app: its files by name, and its single page for every other path that a browser opens, because
 * routing happens in the app.
 */
export async function registerWebApp(app: FastifyInstance, folder: string): Promise<void> {
  const pagePath = join(folder, 'index.html');
  const page = readFileSync(pagePath, 'utf8');
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    setHeaders: (reply, path) => {
      // Built files have a hash in their name; the page that references them must be revalidated each time.
      reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
      if (path === pagePath) allowInlineScripts(reply, page);
      // Images of the demo emails are shown by previews, which have an opaque origin, and by web mail.
      if (path.startsWith(join(folder, 'demo/')))
        reply.header('cross-origin-resource-policy', 'cross-origin');
    },
  });
  app.get('/*', async (request, reply) => {
    const isPage =
      !/^\/api(?:[/?]|$)/.test(request.url) && (request.headers.accept ?? '').includes('text/html');
    if (!isPage) return await sendProblem(reply, unknownPath());
    return await reply.sendFile('index.html');
  });
}
