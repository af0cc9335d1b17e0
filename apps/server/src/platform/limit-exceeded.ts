/** A bound is reached: nothing was done, and a repeat after `retryAfterSeconds` may succeed. */
export class LimitExceeded extends Error {
  override name = 'LimitExceeded';
  /** What is bounded, in words for the log: `connections of a person`. */
  readonly bound: string;
  /** `too_many_requests` where one caller asks too often; `unavailable` where too much is under way. */
  readonly code: 'too_many_requests' | 'unavailable';
  readonly retryAfterSeconds: number;

  constructor(bound: string, code: LimitExceeded['code'], waitMs: number) {
    super(`The limit of ${bound} is reached.`);
    this.bound = bound;
    this.code = code;
    this.retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  }
}
