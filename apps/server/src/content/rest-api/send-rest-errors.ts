import { ORPCError } from '@orpc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Problem } from '../../platform/http/problem.ts';
import { sendProblem } from '../../platform/http/request-guards.ts';
import { UnknownField } from '../backend/content-errors.ts';
import { pathOf } from './read-query.ts';
import { forbidden, RestError, toRestError } from './rest-error.ts';

/** Sends every error of a scope in the Directus format, including those of the guards for all requests. */
export function sendRestErrors(scope: FastifyInstance): void {
  scope.setErrorHandler(async (error, _request, reply) => {
    const shown = error instanceof UnknownField ? forbidden() : error;
    if (shown instanceof RestError) return await reply.code(shown.status).send(shown.toBody());
    if (shown instanceof ORPCError) return await sendProblem(reply, shown);
    throw shown;
  });
  scope.addHook('preSerialization', async (request, reply, payload) => {
    if (reply.statusCode < 400 || !isProblem(payload)) return payload;
    const error = toRestError(payload, {
      path: pathOf(request),
      isRoute: !request.is404,
      collection: collectionOf(request),
    });
    reply.code(error.status).type('application/json; charset=utf-8');
    return error.toBody();
  });
}

const isProblem = (payload: unknown): payload is Problem =>
  typeof payload === 'object' && payload !== null && 'detail' in payload && 'code' in payload;

export const collectionOf = ({ params }: FastifyRequest): string | undefined =>
  (params as { collection?: string }).collection;
