import type { ErrorCode } from '@reachout/contract/errors.ts';

/** A limit is reached, and nothing was done. It is logged with the name of the limit, at most once a minute. */
export class LimitExceeded extends Error {
  override name = 'LimitExceeded';
  /** Name of the limit, for the log: `connections of a person`. */
  readonly bound: string;
  /** `too_many_requests` if one caller exceeds its rate; `unavailable` if too much is in progress. */
  readonly code: ErrorCode;
  /** Data of the error response. */
  readonly data: object;
  /** Who reached the limit, for the log. */
  readonly reachedBy: object;
  /** Text of the error response, if it is more specific than that of the code. */
  readonly detail: string | undefined;

  constructor(bound: string, code: ErrorCode, data: object, reachedBy: object = {}, detail?: string) {
    super(`The limit of ${bound} is reached.`);
    this.bound = bound;
    this.code = code;
    this.data = data;
    this.reachedBy = reachedBy;
    this.detail = detail;
  }
}

/** @returns error data for the case that a retry may succeed after this time */
export const retryAfter = (waitMs: number) => ({ retry_after: Math.max(1, Math.ceil(waitMs / 1_000)) });
