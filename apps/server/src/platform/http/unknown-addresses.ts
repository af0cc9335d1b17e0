import type { FastifyInstance } from 'fastify';
import { attempt } from '../attempt.ts';
import { apiError, unknownPath } from './api-error.ts';
import { sendProblem } from './request-guards.ts';

/** Catch-all routes, which stand for no single address: anything else below `/api`, and the pages of the web app. */
const anyOperation = '/api/*';
const anyPage = '/*';

/**
 * Responds 405 with `Allow` if an address does not support the method (RFC 9110), and 404 for an unknown address, both
 * before the body is read. Addresses are collected as routes are registered: call this before any registration.
 * The most specific matching address applies, as in OpenAPI: `GET /a/b` is not `GET /a/:id` if `/a/b` supports only
 * POST. An address supports OPTIONS only if pages of other origins may use it; HEAD is supported wherever GET has no effect.
 */
export function refuseUnknownAddresses(app: FastifyInstance): void {
  const methodsOf = new Map<string, Set<string>>();
  /** For an address with parameters, the more specific ones that match some of its paths. */
  const rivalsOf = new Map<string, string[]>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url === anyOperation) return;
    const address = withoutNames(url);
    methodsOf.set(address, new Set([...(methodsOf.get(address) ?? []), ...[method].flat()]));
  });
  app.addHook('onReady', async () => {
    for (const address of methodsOf.keys()) {
      // An address without parameters is the most specific one.
      if (!/[:*]/.test(address)) continue;
      const rivals = [...methodsOf.keys()].filter((other) => other !== address && isAt(address, other));
      if (address !== anyPage && rivals.length > 0) rivalsOf.set(address, rivals);
    }
  });

  app.addHook('onRequest', async (request, reply) => {
    const path = decode(request.url.replace(/[?#].*$/, ''));
    const { url = anyOperation } = request.routeOptions;
    const isKnown =
      url !== anyOperation && !rivalsOf.get(withoutNames(url))?.some((rival) => isAt(rival, path));
    if (isKnown) return;
    const methods = methodsOf.get(findAddress(path) ?? '');
    const isAllowed = methods === undefined || methods.has(request.method);
    if (!isAllowed) reply.header('allow', [...methods].sort().join(', '));
    await sendProblem(reply, isAllowed ? unknownPath() : apiError('method_not_allowed'));
  });

  function findAddress(path: string): string | undefined {
    const isPage = !/^\/api(?:\/|$)/.test(path);
    const fitting = [...methodsOf.keys()].filter((address) => address !== anyPage && isAt(address, path));
    // Of two matching addresses, the more specific one also matches the pattern of the other.
    const [first, ...others] = fitting;
    const found = others.reduce(
      (best, other) => (best !== undefined && isAt(best, other) ? other : best),
      first,
    );
    return found ?? (isPage && methodsOf.has(anyPage) ? anyPage : undefined);
  }
}

/** Decodes a path as the router does. Invalid escapes get here with methods that have no route at all. */
const decode = (path: string): string => attempt(() => decodeURI(path), path);

const withoutNames = (url: string): string => url.replaceAll(/:\w+/g, ':');

/** @param address  as Fastify writes it, without names: `/api/items/:`, `/api/storage/:/*` */
function isAt(address: string, path: string): boolean {
  const segments = address.split('/');
  const given = path.split('/');
  const isOpen = segments.at(-1) === '*';
  if (isOpen ? given.length < segments.length : given.length !== segments.length) return false;
  return segments.every((segment, i) =>
    segment === ':' || segment === '*' ? given[i] !== '' : segment === given[i],
  );
}

/** Registers the catch-all route below `/api` for all routed methods; `refuseUnknownAddresses` responds to it. */
export const catchUnknownOperations = (app: FastifyInstance): void =>
  void app.all(anyOperation, async (_request, reply) => await sendProblem(reply, unknownPath()));
