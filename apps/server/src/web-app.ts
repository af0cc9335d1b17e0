import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { unknownPath } from './platform/http/api-error.ts';
import { sendProblem } from './platform/http/request-guards.ts';

/**
 * Serves the built web app: files by name, and its one page for every other address a browser opens, since the app
 * knows its own routes.
 */
export async function registerWebApp(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    setHeaders: (reply, path) => {
      // Built files carry a hash in their name; the page that names them must be asked for each time.
      reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
      // Pictures of the demo's emails: previews, which have no origin, and web mail show them.
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
