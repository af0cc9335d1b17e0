import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/**
 * Serves `/tracker.js` to pages of any origin: the script tag of a website.
 * @param file  built from `packages/tracker`
 */
export function registerTrackerScript(app: FastifyInstance, file: string): void {
  const script = readFileSync(file);
  // Weak, because compressed responses have it, too.
  const etag = `W/"${createHash('sha256').update(script).digest('base64url')}"`;
  app.get('/tracker.js', async (request, reply) => {
    reply.headers({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      etag,
    });
    if (request.headers['if-none-match'] === etag) return await reply.code(304).send();
    return await reply.send(script);
  });
}
