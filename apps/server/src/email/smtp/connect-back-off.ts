/** Maximum delay, so that a server that is reachable again gets its first message within seconds. */
const maxMs = 5_000;

/** Exponential back-off for connection attempts to an unreachable server: the delay doubles each time, up to 5 s. */
export class ConnectBackOff {
  readonly #firstMs: number;
  #failures = 0;
  #retryAt = 0;

  constructor(firstMs: number) {
    this.#firstMs = firstMs;
  }

  /** Whether the last attempt failed. */
  get isFailing(): boolean {
    return this.#failures > 0;
  }

  /** Milliseconds until the next attempt; 0 or less when it is due. */
  get waitMs(): number {
    return this.#retryAt - performance.now();
  }

  recordFailure(): void {
    // Concurrent connection attempts that fail together count as one failure.
    if (this.waitMs > 0) return;
    // Jitter keeps many processes from connecting at the same time.
    const base = this.#firstMs * (0.75 + Math.random() / 2);
    this.#retryAt = performance.now() + Math.min(maxMs, base * 2 ** this.#failures);
    this.#failures++;
  }

  reset(): void {
    this.#failures = 0;
  }
}
