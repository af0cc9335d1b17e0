import type { itemErrors } from '@reachout/contract/rules/item-errors.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { requiredMessage } from '../built-in/stored-field.ts';
import { ORPCError } from '@orpc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendProblem } from '../../platform/http/request-guards.ts';
import { UnknownField } from '../backend/content-backend.ts';
import { pathOf } from './read-query.ts';

/**
 * An error of the REST interface, with the code that Directus uses for it. Clients act on status and code; messages are for
 * people.
 */
export class RestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown>;

  constructor(status: number, code: string, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }

  /** The body of the response: `{ errors: [{ message, extensions: { code, … } }] }`. */
  toBody(): { errors: { message: string; extensions: Record<string, unknown> }[] } {
    return { errors: [{ message: this.message, extensions: { ...this.details, code: this.code } }] };
  }
}

/** Forbidden or not found: the response does not reveal which. */
export const forbidden = (message = 'You don’t have permission to access this, or it doesn’t exist.') =>
  new RestError(403, 'FORBIDDEN', message);

export const invalidCredentials = (message = 'Invalid user credentials.') =>
  new RestError(401, 'INVALID_CREDENTIALS', message);

export const invalidQuery = (reason: string) =>
  new RestError(400, 'INVALID_QUERY', `Invalid query. ${reason}`, { reason });

export const invalidPayload = (reason: string) =>
  new RestError(400, 'INVALID_PAYLOAD', `Invalid payload. ${reason}`, { reason });

/** For a call that lacks a collection or key: its message is exactly that text. */
export const incompleteCall = (text: (typeof itemErrors)[keyof typeof itemErrors]) =>
  new RestError(400, 'INVALID_PAYLOAD', text, { reason: text });

export const routeNotFound = (path: string) =>
  new RestError(404, 'ROUTE_NOT_FOUND', `Route ${path} doesn’t exist.`, { path });

/** Details of our problem responses that Directus errors include. */
interface ProblemData {
  reason?: string;
  field?: string;
  retry_after?: number;
  count?: number;
}

/** Converts problem details to the Directus error. @param isRoute  whether the path matches a route */
function toRestError(
  problem: Problem,
  { path, isRoute, collection }: { path: string; isRoute: boolean; collection: string | undefined },
): RestError {
  const data = (problem.data ?? {}) as ProblemData;
  const withMessage = (status: number, code: string, details?: Record<string, unknown>) =>
    new RestError(status, code, problem.detail, details);
  switch (problem.code) {
    case 'method_not_allowed':
      return routeNotFound(path);
    case 'not_found':
      return isRoute ? forbidden() : routeNotFound(path);
    case 'not_signed_in':
      return invalidCredentials();
    case 'forbidden':
    case 'organization_suspended':
    case 'second_factor_required':
      return forbidden(problem.detail);
    case 'invalid_query':
      return invalidQuery(data.reason ?? problem.detail);
    case 'validation_failed':
      return toValidationError(problem.errors ?? [], collection);
    case 'invalid_input':
      return toInputError(problem);
    case 'values_do_not_fit':
    case 'field_in_use':
      return invalidPayload(`${problem.detail} Count: ${data.count ?? 0}.`);
    case 'not_unique':
      return withMessage(400, 'RECORD_NOT_UNIQUE', { collection, field: data.field });
    case 'too_many_records':
    case 'quota_exceeded':
      return withMessage(403, 'LIMIT_EXCEEDED');
    case 'file_too_large':
      return withMessage(413, 'CONTENT_TOO_LARGE');
    case 'too_many_requests':
      return withMessage(429, 'REQUESTS_EXCEEDED', { reset: data.retry_after });
    default:
      return ofStatus(problem, withMessage);
  }
}

function ofStatus(
  { status, detail }: Problem,
  withMessage: (status: number, code: string) => RestError,
): RestError {
  if (status === 413) return invalidPayload(detail);
  if (status === 415) return withMessage(415, 'UNSUPPORTED_MEDIA_TYPE');
  if (status === 429) return withMessage(429, 'REQUESTS_EXCEEDED');
  if (status === 503) return withMessage(503, 'SERVICE_UNAVAILABLE');
  return status < 500 ? invalidPayload(detail) : withMessage(500, 'INTERNAL_SERVER_ERROR');
}

function toInputError({ detail, errors = [] }: Problem): RestError {
  const [first] = errors;
  if (first === undefined) return invalidPayload(detail);
  return invalidPayload(first.path === '' ? first.message : `${first.path}: ${first.message}`);
}

/** Directus distinguishes a missing value from an invalid one. */
function toValidationError(
  errors: readonly { path: string; message: string }[],
  collection: string | undefined,
): RestError {
  const [first = { path: '', message: 'This is not valid.' }] = errors;
  const details = { collection, field: first.path };
  const message = `“${first.path}”: ${first.message}`;
  return first.message === requiredMessage
    ? new RestError(400, 'FAILED_VALIDATION', message, { ...details, type: 'required' })
    : new RestError(400, 'INVALID_PAYLOAD', message, { ...details, reason: message });
}

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
