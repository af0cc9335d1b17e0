import { ORPCError } from '@orpc/contract';
import { z } from 'zod';

/**
 * A failure that the caller can act on. Its code is declared at the operation in the contract, which also gives status
 * and default message; docs/error-codes.md lists all codes.
 */
export const apiError = (
  status: number,
  code: string,
  message: string,
  data?: unknown,
): ORPCError<string, unknown> => new ORPCError(code, { status, message, defined: true, data });

export const notFound = () =>
  apiError(404, 'not_found', 'This doesn’t exist, or you don’t have access to it.');

export const notSignedIn = () => apiError(401, 'not_signed_in', 'Sign in or send a valid API key.');

/** For what needs somebody who was there a short while ago. */
export const reauthRequired = () => apiError(401, 'sign_in_again', 'Sign in again to confirm that it’s you.');

/** @param retryAfterSeconds  becomes `retry_after` and the header Retry-After */
export const tooManyAttempts = (retryAfterSeconds: number) =>
  apiError(429, 'too_many_attempts', 'Too many attempts. Try again later.', {
    retry_after: retryAfterSeconds,
  });

/** @param limit  how many there may be */
export const tooManyRecords = (limit: number) =>
  apiError(409, 'too_many_records', `There are ${limit} already. Delete some first.`, { limit });

/** @param action, subject  as the operation's `permission` in the contract names them */
export const forbidden = (action: string, subject: string) =>
  apiError(403, 'forbidden', 'You don’t have permission to do this.', { action, subject });

/** Bad input that a schema cannot see, such as the id of a parent that does not exist. */
export const invalidInput = (path: string, message: string) =>
  apiError(422, 'invalid_input', 'Some of the input is not valid.', { errors: [{ path, message }] });

/** The same for all that a schema found. */
export const invalidInputs = (error: z.core.$ZodError | { issues: readonly z.core.$ZodIssue[] }) =>
  apiError(422, 'invalid_input', 'Some of the input is not valid.', {
    errors: error.issues.map((issue) => ({
      path: [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])]
        .map(String)
        .join('.'),
      message: issue.code === 'unrecognized_keys' ? 'This is not an input of this operation.' : issue.message,
    })),
  });

export const invalidTransition = (from: string, to: string) =>
  apiError(409, 'invalid_transition', `The status can’t change from ${from} to ${to}.`, { from, to });

/**
 * The database is busy or being restarted, or too much is waiting already.
 * @param retryAfterSeconds  becomes `retry_after` and the header Retry-After
 */
export const unavailable = (retryAfterSeconds?: number) =>
  apiError(
    503,
    'unavailable',
    'The service is busy or being restarted. Try again in a moment.',
    retryAfterSeconds === undefined ? undefined : { retry_after: retryAfterSeconds },
  );

/** Whatever nobody foresaw: the log has the rest. */
export const internalError = () => apiError(500, 'internal', 'Something went wrong on our side. Try again.');
