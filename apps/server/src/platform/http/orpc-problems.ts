import { ORPCError, ValidationError } from '@orpc/contract';
import type { z } from 'zod';
import { internalError, invalidInputs, unavailable } from '../call-error.ts';
import { isDatabaseAway } from '../database/is-database-away.ts';
import type { Log } from '../log.ts';
import { toProblem, type Problem } from './problem.ts';

/** Writes an error as problem details; what is not meant for the caller stays out (ERR-1). */
export function encodeProblem(error: ORPCError<string, unknown>): Problem {
  return toProblem({ status: error.status, code: error.code, detail: error.message, data: error.data });
}

/**
 * Turns whatever a call throws into an error that may be shown: bad input names its fields, anything unexpected is
 * logged in full and answered neutrally.
 */
export const translateErrors =
  (log: Log) =>
  async <T>(options: { next: () => Promise<T> }): Promise<T> => {
    try {
      return await options.next();
    } catch (error) {
      throw translate(error, log);
    }
  };

function translate(error: unknown, log: Log): ORPCError<string, unknown> {
  if (error instanceof ORPCError) {
    if (error.cause instanceof ValidationError && error.code === 'BAD_REQUEST') {
      return invalidInputs({ issues: error.cause.issues as z.core.$ZodIssue[] });
    }
    if (error.status < 500 && error.defined) return error;
    if (error.status < 500) {
      return new ORPCError('malformed_request', {
        status: 400,
        message: 'The request cannot be read.',
        defined: true,
      });
    }
    if (error.status === 503) return error;
  }
  if (isDatabaseAway(error)) {
    log.error({ err: error }, 'database away');
    return unavailable();
  }
  log.error({ err: error }, 'call failed');
  return internalError();
}
