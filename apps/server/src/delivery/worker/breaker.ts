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

/** The breaker of a transport: also opens when a mail server takes texts and loses its connections, again and again. */
export class TransportBreaker extends Breaker {
  /** The last outage of which no end was seen. */
  #outage: number | undefined;

  /**
   * @param outage  outage that made a message uncertain
   * @returns whether the breaker opens: at the second outage in a row, because a server that restarted is back at once
   */
  recordUncertain(outage: number | undefined): boolean {
    if (outage === undefined || outage === this.#outage) return false;
    const isRepeated = this.#outage !== undefined;
    this.#outage = outage;
    return isRepeated && this.open();
  }

  override close(): void {
    super.close();
    this.#outage = undefined;
  }
}
