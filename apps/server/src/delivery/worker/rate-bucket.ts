import type { SendError } from '@reachout/contract/rules/send-errors.ts';

/** Delay after the database could not be queried. */
const retryMs = 1_000;

export interface RateLease {
  /** Number of messages that may start. */
  granted: number;
  /** Milliseconds until it is worth asking again, if none may start. */
  waitMs: number;
  /** Milliseconds for which the granted messages may be used. */
  validMs: number;
  /** Describes the limit to users. */
  error: SendError;
}

export interface RateBucketOptions {
  /** Messages that are leased at once, so that many need only one query. */
  slice: number;
  lease: () => Promise<RateLease>;
  /** Releases leased messages that were not started, for other workers. */
  release?: (count: number) => Promise<void>;
  /** Called after each lease attempt: messages may start, or their wait is known. */
  onResponse: () => void;
  /** Called after a wait of `waitMs`: the next lease may succeed. */
  onFree: (waitMs: number) => void;
  /** Called when no messages were granted. */
  onReached: () => void;
}

/** Token bucket of one limit for this worker, refilled from the database. */
export class RateBucket {
  readonly slice: number;
  /** Undefined before the first response. */
  error: SendError | undefined;
  readonly #options: RateBucketOptions;
  #tokens = 0;
  #validUntil = 0;
  #isWaiting = false;
  #waitUntil = 0;
  #asking: Promise<void> | undefined;

  constructor(options: RateBucketOptions) {
    this.#options = options;
    this.slice = options.slice;
  }

  /** Whether a message may start; if not, requests the next slice. */
  get hasToken(): boolean {
    if (this.#hasValidToken(performance.now())) return true;
    if (!this.#isWaiting)
      this.#asking ??= this.#ask().finally(() => {
        this.#asking = undefined;
        this.#options.onResponse();
      });
    return false;
  }

  /** Milliseconds until the next request; 0 if messages may start, or that is not known yet. */
  get waitMs(): number {
    const now = performance.now();
    // The timer may fire late, but no request is made before it does.
    return this.#isWaiting && !this.#hasValidToken(now) ? Math.max(1, this.#waitUntil - now) : 0;
  }

  take(): void {
    this.#tokens -= 1;
  }

  /** Returns the token of a message that was not sent. */
  refund(): void {
    this.#tokens += 1;
  }

  /** Releases unused tokens. A message that starts afterwards needs a new lease. */
  async close(): Promise<void> {
    await this.#asking;
    const count = this.#tokens;
    if (!this.#hasValidToken(performance.now())) return;
    this.#tokens = 0;
    // If this fails, the tokens are lost; the limit still holds.
    await this.#options.release?.(count).catch(() => undefined);
  }

  #hasValidToken(now: number): boolean {
    return this.#tokens > 0 && now < this.#validUntil;
  }

  async #ask(): Promise<void> {
    const { lease, onReached } = this.#options;
    try {
      const { granted, waitMs, validMs, error } = await lease();
      const now = performance.now();
      this.error = error;
      // Tokens that are still valid may have been refunded in the meantime.
      this.#tokens = granted + (now < this.#validUntil ? this.#tokens : 0);
      this.#validUntil = now + validMs;
      if (granted > 0) return;
      onReached();
      this.#wait(waitMs);
    } catch {
      this.#wait(retryMs);
    }
  }

  #wait(waitMs: number): void {
    this.#isWaiting = true;
    this.#waitUntil = performance.now() + waitMs;
    setTimeout(() => {
      this.#isWaiting = false;
      this.#options.onFree(waitMs);
    }, waitMs).unref();
  }
}
