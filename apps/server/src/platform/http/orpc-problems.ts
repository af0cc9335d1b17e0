import { ORPCError, ValidationError } from '@orpc/contract';
import { apiErrors } from '@reachout/contract/errors.ts';
import type { z } from 'zod';
import {
  apiError,
  badRequest,
  internalError,
  invalidInput,
  invalidInputs,
  unavailable,
} from './api-error.ts';
import { LimitExceeded } from '../limit-exceeded.ts';
import { FileStoreFailure } from '../files/file-store.ts';
import { isDatabaseAway, isUnstorableValue } from '../database/is-database-away.ts';
import type { Log } from '../log.ts';
import { retryAfterOf, toProblem, type Problem } from './problem.ts';

/** Converts an error to problem details, without its cause and stack. */
export const encodeProblem = (error: ORPCError<string, unknown>): Problem =>
  toProblem({ status: error.status, code: error.code, detail: error.message, data: error.data });

/**
 * Converts an operation's error to one that is safe to return: invalid input names its fields; an unexpected error is
 * logged in full with the request id, and its response is neutral.
 */
export async function translateErrors<T>({
  context,
  next,
}: {
  context: { log: RequestLog };
  next: () => Promise<T>;
}): Promise<T> {
  try {
    return await next();
  } catch (error) {
    throw translate(error, context.log);
  }
}

/** Logger whose lines carry the request id. */
export type RequestLog = Pick<Log, 'warn' | 'error'>;

/** The part of a handler's result that is used here. */
interface HandlerResult {
  response?: { status: number; headers: Record<string, unknown>; body?: unknown } | undefined;
}

/** Sets the Retry-After header of 429 and 503 responses from `retry_after` in their data. */
export async function addRetryAfter<T extends HandlerResult>(options: {
  next: () => Promise<T>;
}): Promise<T> {
  const result = await options.next();
  const { response } = result;
  if (response?.status !== 429 && response?.status !== 503) return result;
  const retryAfter = retryAfterOf((response.body as { data?: unknown } | undefined)?.data);
  if (retryAfter !== undefined) response.headers['retry-after'] = retryAfter;
  return result;
}

/** Handles HEAD as GET (RFC 9110); the HTTP server omits the body. */
export async function treatHeadAsGet<
  T,
  O extends { request: { method: string }; next: (options: O) => Promise<T> },
>(options: O): Promise<T> {
  if (options.request.method !== 'HEAD') return await options.next(options);
  return await options.next({ ...options, request: { ...options.request, method: 'GET' } });
}

/** Handles SEARCH as GET with the query of the body, for queries that are too long for a URL. */
export async function treatSearchAsGet<
  T,
  O extends {
    request: { method: string; url: URL };
    context: { searchQuery?: URLSearchParams | undefined };
    next: (options: O) => Promise<T>;
  },
>(options: O): Promise<T> {
  const { request, context } = options;
  if (context.searchQuery === undefined) return await options.next(options);
  const url = new URL(request.url);
  url.search = context.searchQuery.toString();
  return await options.next({ ...options, request: { ...request, method: 'GET', url } });
}

function translate(error: unknown, log: RequestLog): ORPCError<string, unknown> {
  if (error instanceof ORPCError) {
    if (error.cause instanceof ValidationError && error.code === 'BAD_REQUEST') {
      return invalidInputs({ issues: error.cause.issues as z.core.$ZodIssue[] });
    }
    if (error.status < 500 && error.defined) return error;
    if (error.code in apiErrors) log.error({ code: error.code }, 'operation does not declare its error');
    if (error.status < 500) return badRequest();
    if (error.status === 503) return error;
  }
  return toApiError(error, log);
}

/** Retry-After while the database or the file store is unavailable, in seconds. */
const outageRetrySeconds = 2;

/** Converts an error that is not part of the contract to an API error, and logs the details. */
export function toApiError(error: unknown, log: RequestLog): ORPCError<string, unknown> {
  if (error instanceof LimitExceeded) {
    log.warn({ bound: error.bound, ...error.reachedBy }, 'limit reached');
    return apiError(error.code, error.data, error.detail);
  }
  if (error instanceof FileStoreFailure) {
    log.error({ err: error }, 'file store failed');
    return unavailable(outageRetrySeconds);
  }
  if (isDatabaseAway(error)) {
    log.error({ err: error }, 'database away');
    return unavailable(outageRetrySeconds);
  }
  log.error({ err: error }, 'operation failed');
  // The input should have been checked before, so it is logged like a defect. But it is the caller who can change it.
  if (isUnstorableValue(error)) return invalidInput('', 'A number, time or id is malformed or out of range.');
  return internalError();
}
