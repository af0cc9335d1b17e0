const firstMs = 1_000;
/** With the 10 s that one attempt to connect may take: back within 15 s of the mail server. */
export const maxBreakerMs = 5_000;

/**
 * While a mail server cannot be reached, nothing is started: first for a second, then twice as long each time. The next
 * message shows whether it is back.
 */
export class Breaker {
  readonly #onEnd: () => void;
  #until = 0;
  #nextMs = firstMs;

  /** @param onEnd  messages may start again */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  get isOpen(): boolean {
    return this.leftMs > 0;
  }

  /** It was open, and nothing has got through since. */
  get isHalfOpen(): boolean {
    return !this.isOpen && this.#nextMs > firstMs;
  }

  /** Until messages may start again; 0 when they may. */
  get leftMs(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** @returns false when it is open already */
  open(): boolean {
    if (this.isOpen) return false;
    this.#until = performance.now() + this.#nextMs;
    setTimeout(this.#onEnd, this.#nextMs + 1).unref();
    this.#nextMs = Math.min(this.#nextMs * 2, maxBreakerMs);
    return true;
  }

  /** A message got through. */
  close(): void {
    this.#nextMs = firstMs;
  }
}
