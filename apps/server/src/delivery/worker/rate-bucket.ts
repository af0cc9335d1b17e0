import type { SendError } from '@reachout/contract/rules/send-errors.ts';

/** After the database could not be asked. */
const retryMs = 1_000;

export interface RateLease {
  /** Messages that may start. */
  granted: number;
  /** Until it is worth asking again, when none may. */
  waitMs: number;
  /** How long what was granted may be used. */
  validMs: number;
  /** What the limit is, for the screen. */
  error: SendError;
}

export interface RateBucketOptions {
  /** Messages that are leased at once, so that many cost one query. */
  slice: number;
  lease: () => Promise<RateLease>;
  /** Returns messages that were leased and did not start, for other workers. */
  release?: (count: number) => Promise<void>;
  /** The database has responded: messages may start, or it is known how long they wait. */
  onResponse: () => void;
  /** A wait of so long is over, and it is to be asked again. */
  onFree: (waitMs: number) => void;
  /** No more messages were granted. */
  onReached: () => void;
}

/** Messages that one limit allows this worker to start: a token bucket that the database fills. */
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

  /** Whether a message may start; if not, asks for the next slice. */
  get hasToken(): boolean {
    if (this.#hasValidToken(performance.now())) return true;
    if (!this.#isWaiting)
      this.#asking ??= this.#ask().finally(() => {
        this.#asking = undefined;
        this.#options.onResponse();
      });
    return false;
  }

  /** Until it is asked again; 0 when messages may start, or that is not known yet. */
  get waitMs(): number {
    const now = performance.now();
    // A timer may fire late, but nobody asks before it does.
    return this.#isWaiting && !this.#hasValidToken(now) ? Math.max(1, this.#waitUntil - now) : 0;
  }

  take(): void {
    this.#tokens -= 1;
  }

  /** The message did not leave. */
  refund(): void {
    this.#tokens += 1;
  }

  /** No message starts any more. */
  async close(): Promise<void> {
    await this.#asking;
    const count = this.#tokens;
    if (!this.#hasValidToken(performance.now())) return;
    this.#tokens = 0;
    // If this fails, they are lost: the limit holds all the same.
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
      // Of what is still valid, some may have been refunded meanwhile.
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
