import { callAt } from '../../platform/call-at.ts';

const firstMs = 1_000;
/** With the 10 s that a connection attempt may take, sending resumes within 15 s after the mail server is back. */
export const maxBreakerMs = 5_000;

/**
 * Circuit breaker: while a mail server cannot be reached, nothing is started, first for 1 s, then twice as long each time.
 * The next message shows whether the server is back.
 */
export class Breaker {
  readonly #onEnd: () => void;
  #until = 0;
  #nextMs = firstMs;

  /** @param onEnd  called when messages may start again */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  get isOpen(): boolean {
    return this.leftMs > 0;
  }

  /** Whether it was open, and no message was accepted since. */
  get isHalfOpen(): boolean {
    return !this.isOpen && this.#nextMs > firstMs;
  }

  /** Milliseconds until messages may start again; 0 when they may. */
  get leftMs(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** @returns false if it is open already */
  open(): boolean {
    if (this.isOpen) return false;
    this.#until = performance.now() + this.#nextMs;
    callAt(this.#until, this.#onEnd);
    this.#nextMs = Math.min(this.#nextMs * 2, maxBreakerMs);
    return true;
  }

  /** Resets the delay after a message was accepted. */
  close(): void {
    this.#nextMs = firstMs;
  }
}
