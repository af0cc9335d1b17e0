const firstMs = 1_000;
const maxMs = 60_000;

/** While the mail server cannot be reached, nothing is started: first for a second, then twice as long each time. */
export class CoolDown {
  readonly #onEnd: () => void;
  #until = 0;
  #nextMs = firstMs;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  get isActive(): boolean {
    return performance.now() < this.#until;
  }

  /** @returns false when it has begun already */
  begin(): boolean {
    if (this.isActive) return false;
    this.#until = performance.now() + this.#nextMs;
    setTimeout(this.#onEnd, this.#nextMs + 1).unref();
    this.#nextMs = Math.min(this.#nextMs * 2, maxMs);
    return true;
  }

  /** The mail server was reached. */
  reset(): void {
    this.#nextMs = firstMs;
  }
}
