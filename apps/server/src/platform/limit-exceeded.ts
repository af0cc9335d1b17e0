import type { ErrorCode } from '@reachout/contract/errors.ts';

/** A bound is reached: nothing was done. The log says so with the name of the bound, once a minute. */
export class LimitExceeded extends Error {
  override name = 'LimitExceeded';
  /** What is bounded, in words for the log: `connections of a person`. */
  readonly bound: string;
  /** `too_many_requests` where one caller asks too often; `unavailable` where too much is under way. */
  readonly code: ErrorCode;
  /** For the response. */
  readonly data: object;
  /** For the log: who has reached it. */
  readonly reachedBy: object;

  constructor(bound: string, code: ErrorCode, data: object, reachedBy: object = {}) {
    super(`The limit of ${bound} is reached.`);
    this.bound = bound;
    this.code = code;
    this.data = data;
    this.reachedBy = reachedBy;
  }
}

/** Where a repeat may succeed after this time. */
export const retryAfter = (waitMs: number) => ({ retry_after: Math.max(1, Math.ceil(waitMs / 1_000)) });
