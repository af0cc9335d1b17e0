import type { FastifyRequest } from 'fastify';
import { pathOf, urlQueryOf } from './read-query.ts';
import { findRestCaller } from './rest-caller.ts';
import { forbidden, routeNotFound } from './rest-error.ts';
import type { RestDeps } from './rest-handler.ts';
import { findShareOf } from './share-caller.ts';

/** Route of everything that no other route has. */
export const otherPaths = '/*';

/**
 * Checks who sends a body before it is read.
 * @throws RestError for a body that no route takes, or without a valid token
 */
export async function requireToken(deps: RestDeps, request: FastifyRequest): Promise<void> {
  const { url = '', config } = request.routeOptions;
  if (url.endsWith(otherPaths)) throw routeNotFound(pathOf(request));
  if (config.isPublic === true) return;
  const query = urlQueryOf(request);
  if ((await findShareOf(deps, request, query)) !== undefined) return;
  const callers = { findCaller: deps.findCallerEarly };
  if ((await findRestCaller(callers, request, query)) === undefined) throw forbidden();
}
