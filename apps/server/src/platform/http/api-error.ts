import { ORPCError } from '@orpc/contract';
import { apiErrors, unknownPathMessage, type ErrorCode } from '@reachout/contract/errors.ts';
import { z } from 'zod';
import { LimitExceeded } from '../limit-exceeded.ts';
import { isPossible, type Transitions } from '@reachout/contract/states/transitions.ts';

/**
 * A failure that the caller can act on. The contract defines the status and text of each code.
 * @param message  replaces that text if a rule has a more specific one
 */
export const apiError = (
  code: ErrorCode,
  data?: unknown,
  message: string = apiErrors[code].message,
): ORPCError<string, unknown> =>
  new ORPCError(code, { status: apiErrors[code].status, message, defined: true, data });

export const notFound = () => apiError('not_found');

export const isNotFound = (error: unknown): boolean =>
  error instanceof ORPCError && error.code === ('not_found' satisfies ErrorCode);

/** @returns what was found. @throws 404 without it */
export function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw notFound();
  return found;
}

export const unknownPath = () => apiError('not_found', undefined, unknownPathMessage);

/** Codes for requests that fail before they reach an operation, by the status of the framework's error. */
const frameworkErrors: Readonly<Record<number, ErrorCode>> = {
  408: 'request_timeout',
  413: 'body_too_large',
  415: 'unsupported_media_type',
};

/** A request that fails before it reaches an operation. @param status  of the framework's error */
export const badRequest = (status = 400) => apiError(frameworkErrors[status] ?? 'bad_request');

/** @param message  of an operation that declares its own */
export const notSignedIn = (message?: string) => apiError('not_signed_in', undefined, message);

/** The operation requires a recent sign-in. */
export const reauthRequired = () => apiError('sign_in_again');

/** @param retryAfterSeconds  becomes `retry_after` and the header Retry-After */
export const tooManyAttempts = (retryAfterSeconds: number) =>
  apiError('too_many_attempts', {
    retry_after: retryAfterSeconds,
  });

/** @param limit  the maximum number of records */
export const tooManyRecords = (limit: number) => apiError('too_many_records', { limit });

/** @param action, subject  as the operation's `permission` in the contract names them */
export const forbidden = (action: string, subject: string) => apiError('forbidden', { action, subject });

/** Invalid input that a schema cannot detect, such as the id of a parent that does not exist. */
export const invalidInput = (path: string, message: string) =>
  apiError('invalid_input', { errors: [{ path, message }] });

/** @returns the error of a part of an operation, whose input is this field of the whole; other errors as they are */
export function underPath(field: string, error: unknown): unknown {
  if (!(error instanceof ORPCError) || error.code !== 'invalid_input') return error;
  const { errors } = error.data as { errors: { path: string; message: string }[] };
  return apiError('invalid_input', {
    errors: errors.map(({ path, message }) => ({ path: `${field}.${path}`, message })),
  });
}

/** @returns the error with more data, if it is one that an operation has declared */
export function addData(error: unknown, data: Readonly<Record<string, unknown>>): unknown {
  if (error instanceof LimitExceeded && error.code === 'quota_exceeded')
    return new LimitExceeded(
      error.bound,
      error.code,
      { ...error.data, ...data },
      error.reachedBy,
      error.detail,
    );
  return error instanceof ORPCError && error.defined
    ? apiError(error.code as ErrorCode, { ...(error.data as object | undefined), ...data }, error.message)
    : error;
}

/** Invalid input, with all issues that a schema found. */
export const invalidInputs = (error: z.core.$ZodError | { issues: readonly z.core.$ZodIssue[] }) =>
  apiError('invalid_input', { errors: describeIssues(error.issues) });

/** @returns the path and message of each issue */
export const describeIssues = (issues: readonly z.core.$ZodIssue[]): { path: string; message: string }[] =>
  issues.flatMap(findMeant).map((issue) => ({
    path: [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])]
      .map(String)
      .join('.'),
    message: toMessage(issue),
  }));

function toMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return 'This is not an input of this operation.';
  return (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined) ?? issue.message;
}

/** Replaces the issue of a union with those of its only alternative that accepts values of this kind, if there is one. */
function findMeant(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const isOfOtherKind = ({ code, path }: z.core.$ZodIssue) =>
    code === 'unrecognized_keys' || (code === 'invalid_type' && path.length === 0);
  const [meant, ...others] = issue.errors.filter((alternative) => !alternative.some(isOfOtherKind));
  if (meant === undefined || others.length > 0) return [issue];
  return meant.flatMap(findMeant).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

export const invalidTransition = (from: string, to: string) =>
  apiError('invalid_transition', { from, to }, `The status can’t change from ${from} to ${to}.`);

/**
 * The database is busy or restarting, or too many requests are waiting.
 * @param retryAfterSeconds  becomes `retry_after` and the header Retry-After
 */
export const unavailable = (retryAfterSeconds?: number) =>
  apiError('unavailable', retryAfterSeconds === undefined ? undefined : { retry_after: retryAfterSeconds });

/** An unexpected failure: the log has the details. */
export const internalError = () => apiError('internal');

/** @throws 409 `invalid_transition` with both statuses */
export function assertTransition<S extends string>(transitions: Transitions<S>, from: S, to: S): void {
  if (!isPossible(transitions, from, to)) throw invalidTransition(from, to);
}
