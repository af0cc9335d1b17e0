import { ORPCError } from '@orpc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { maxBodyKeys, maxJsonLength, maxBodyEntries } from '@reachout/contract/rules/lengths.ts';
import { hasBody } from './open-bodies.ts';
import { apiError, badRequest, invalidInput } from './api-error.ts';
import { LimitExceeded } from '../limit-exceeded.ts';
import { encodeProblem, toApiError } from './orpc-problems.ts';
import { retryAfterOf } from './problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Strangers may use it: no caller is looked up before its body is read. */
    isPublic?: boolean;
    /** Maximum keys in a body of this route, if it differs from the rest of its scope. */
    maxKeys?: number;
  }
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Responds with an error as problem details that must not be cached. */
export const sendProblem = (reply: FastifyReply, error: ORPCError<string, unknown>) => {
  const wait = retryAfterOf(error.data);
  if (wait !== undefined) reply.header('retry-after', wait);
  return reply
    .code(error.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .send(encodeProblem(error));
};

/**
 * Responds to API errors of a scope with problem details; all other errors go to the error handler of the app.
 * @param translate  maps the thrown error to the one to respond with
 */
export function sendApiErrors(
  scope: FastifyInstance,
  translate: (error: Error, request: FastifyRequest, reply: FastifyReply) => Error = (error) => error,
): void {
  scope.setErrorHandler(async (error: Error, request, reply) => {
    const shown = translate(error, request, reply);
    if (shown instanceof LimitExceeded) return await sendProblem(reply, toApiError(shown, request.log));
    if (!(shown instanceof ORPCError)) throw shown;
    return await sendProblem(reply, shown);
  });
}

/** Like `sendApiErrors`, for scopes that receive files: one error for bodies of another type, from Fastify or its plugin. */
export const sendUploadErrors = (scope: FastifyInstance): void =>
  sendApiErrors(scope, (error: Error & { statusCode?: number }) =>
    error.statusCode === 406 || error.statusCode === 415 ? apiError('unsupported_media_type') : error,
  );

export function forbidCaching(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
}

/** If these headers are repeated, Node uses the first one, and a proxy in front of this server may use the last. */
const singleHeaders = new Set(['authorization', 'content-length', 'content-type', 'host', 'origin']);

/** Dot segments. oRPC resolves them after Fastify and the proxies in front of it have already routed by the path. */
const dotSegment = /^[^?]*\/(?:\.|%2e){1,2}(?:[/?]|$)/i;

/** Rejects requests that can be interpreted in more than one way. */
export function rejectAmbiguous(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const names = request.raw.rawHeaders
      .filter((_, index) => index % 2 === 0)
      .map((name) => name.toLowerCase())
      .filter((name) => singleHeaders.has(name));
    const hasNoHost = request.raw.httpVersion === '1.1' && request.headers.host === undefined;
    if (new Set(names).size < names.length || hasNoHost || dotSegment.test(request.url))
      await sendProblem(reply, badRequest());
  });
}

/**
 * Rejects unsafe requests that carry a cookie but do not come from one of our own pages.
 * @param origins exact origins, such as `https://reachout.example`
 */
export function guardOrigin(app: FastifyInstance, origins: readonly string[]): void {
  app.addHook('onRequest', async (request, reply) => {
    if (safeMethods.has(request.method) || request.headers.cookie === undefined) return;
    const { origin } = request.headers;
    const isOwnOrigin =
      origin === undefined ? request.headers['sec-fetch-site'] === 'same-origin' : origins.includes(origin);
    if (!isOwnOrigin) await sendProblem(reply, apiError('foreign_origin'));
  });
}

/** Rejects compressed bodies in scopes that read raw files, where they would look damaged (RFC 9110, 15.5.16). */
export function refuseEncodedBodies(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (request, reply) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding.trim().toLowerCase() !== 'identity')
      await sendProblem(reply.header('accept-encoding', 'identity'), apiError('unsupported_media_type'));
  });
}

/**
 * Rejects a request with a body before the body is read.
 * @param check  throws if the caller may send none
 */
export function checkBeforeBody(
  scope: FastifyInstance,
  check: (request: FastifyRequest) => Promise<void>,
): void {
  scope.addHook('onRequest', async (request, reply) => {
    if (!reply.sent && hasBody(request)) await check(request);
  });
}

/** Size of a body that strangers may send; the largest is the reply of a passkey. */
export const maxPublicBytes = 16_384;

/**
 * Accepts only JSON bodies. The body is parsed here, before the operation is known, because oRPC would bypass these limits.
 * @param maxBytes  size of a body, which is checked before it is read, if the request declares it
 */
export function acceptJsonOnly(
  app: FastifyInstance,
  { maxBytes = maxJsonLength, maxKeys = maxBodyKeys } = {},
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: maxBytes },
    (request, body, done) => {
      // Requests without input may have the header and an empty body.
      if (body === '') done(null, {});
      else void parseJson(request, body as string, done);
    },
  );
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addHook('onRequest', async (request, reply) => {
    if (reply.sent || safeMethods.has(request.method) || !hasBody(request)) return;
    if (!isJson(request)) await sendProblem(reply, apiError('unsupported_media_type'));
    else if (Number(request.headers['content-length']) > Math.min(maxBytes, request.routeOptions.bodyLimit))
      await sendProblem(reply, apiError('body_too_large'));
  });
  app.addHook('preValidation', async (request, reply) => {
    const problem = findShapeProblem(request.body, request.routeOptions.config.maxKeys ?? maxKeys);
    if (problem !== undefined) await sendProblem(reply, invalidInput('', problem));
  });
}

const isJson = (request: FastifyRequest) =>
  /^application\/json\b/i.test(request.headers['content-type'] ?? '');

const maxDepth = 32;

/**
 * Checks a parsed body before it is validated against a schema.
 * @returns a description of the problem; undefined if there is none
 */
export function findShapeProblem(body: unknown, maxKeys = maxBodyKeys): string | undefined {
  const open: { value: unknown; depth: number }[] = [{ value: body, depth: 1 }];
  let keys = 0;
  let entries = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      return 'Whole numbers must stay below 2^53; send larger ones as strings.';
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth > maxDepth) return `The body is nested more than ${maxDepth} levels deep.`;
    const children: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (Array.isArray(value)) entries += children.length;
    else keys += children.length;
    if (keys > maxKeys) return `The body has more than ${maxKeys} keys.`;
    if (entries > maxBodyEntries) return `The lists of the body have more than ${maxBodyEntries} entries.`;
    for (const child of children) open.push({ value: child, depth: depth + 1 });
  }
  return undefined;
}
