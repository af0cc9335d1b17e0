import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Transform } from 'node:stream';
import { toProblem } from './problem.ts';

/** INP-1: a JSON body has at most 1 MB; two more kilobytes for what wraps a template of that size. */
const jsonLimitBytes = 1_050_000;
/** TMO-1; uploads of files, which may come over slow lines, are not read here. */
const bodyTimeoutMs = 30_000;
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

export const sendProblem = (
  reply: FastifyReply,
  status: number,
  code: string,
  detail: string,
  data?: unknown,
) => reply.code(status).type('application/problem+json').send(toProblem({ status, code, detail, data }));

/**
 * Refuses unsafe requests that carry a cookie but do not come from one of our own pages (CSRF-1).
 * @param origins exact origins, such as `https://reachout.example`
 */
export function guardOrigin(app: FastifyInstance, origins: readonly string[]): void {
  app.addHook('onRequest', async (request, reply) => {
    if (safeMethods.has(request.method) || request.headers.cookie === undefined) return;
    const { origin } = request.headers;
    const isOwn =
      origin === undefined ? request.headers['sec-fetch-site'] === 'same-origin' : origins.includes(origin);
    if (!isOwn)
      await sendProblem(
        reply,
        403,
        'foreign_origin',
        'This request does not come from a page of this installation.',
      );
  });
}

/**
 * Takes JSON only, and not more than 1 MB of it: by what is announced, and by counting what comes (INP-1). oRPC reads
 * the stream itself, past Fastify's own limit.
 */
export function guardJsonBody(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (safeMethods.has(request.method)) return;
    const length = Number(request.headers['content-length'] ?? 0);
    if (length > jsonLimitBytes) {
      await sendProblem(reply, 413, 'too_large', 'A request body has at most 1 MB.');
    } else if (hasBody(request) && !/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
      await sendProblem(reply, 415, 'unsupported_media_type', 'Send application/json.');
    }
  });
  app.addHook('preParsing', async (_request, _reply, payload) => {
    let bytes = 0;
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        if (bytes > jsonLimitBytes)
          done(Object.assign(new Error('A request body has at most 1 MB.'), { statusCode: 413 }));
        else done(null, chunk);
      },
    });
    payload.on('error', (error) => counted.destroy(error));
    const late = setTimeout(() => {
      counted.destroy(Object.assign(new Error('The request body took too long.'), { statusCode: 408 }));
    }, bodyTimeoutMs);
    counted.on('close', () => clearTimeout(late));
    return payload.pipe(counted);
  });
}

const hasBody = (request: FastifyRequest) =>
  Number(request.headers['content-length'] ?? 0) > 0 || request.headers['transfer-encoding'] !== undefined;
