import type { TransportResult } from '../../email/transports/transport.ts';

/** Successive waits of a lane; the last one repeats. */
export const laneWaitsMs: readonly number[] = [1, 5, 15, 60].map((minutes) => minutes * 60_000);
/** A few throttling replies in a row may be greylisting, which looks the same. */
const throttlesToWait = 15;
/** The lane waits if more than half of this many results are transient rejections. */
const recentResults = 200;
const acceptedToForget = 20;

/**
 * Whether the provider accepts less than it is offered (421: RFC 5321, section 3.8; x.7.x: RFC 3463, section 3.8),
 * regardless of the recipient.
 */
export const isThrottle = (result: TransportResult): boolean =>
  result.outcome === 'rejected' &&
  !result.permanent &&
  (result.code === 421 || result.enhanced?.startsWith('4.7.') === true);

/** Detects when a mail provider throttles a lane, and decides how long the lane waits. */
export class LanePressure {
  readonly #waitsMs: readonly number[];
  #waits = 0;
  #accepted = 0;
  #throttlesInRow = 0;
  /** Ring buffer: whether each of the last results was a transient rejection. */
  readonly #recent = new Uint8Array(recentResults);
  #results = 0;
  #transient = 0;

  constructor(waitsMs: readonly number[]) {
    this.#waitsMs = waitsMs;
  }

  /** @returns milliseconds to wait from now; undefined to continue */
  record(result: TransportResult): number | undefined {
    this.#throttlesInRow = isThrottle(result) ? this.#throttlesInRow + 1 : 0;
    this.#countTransient(result.outcome === 'rejected' && !result.permanent);
    if (result.outcome === 'accepted') {
      this.#accepted += 1;
      if (this.#accepted >= acceptedToForget) this.#waits = 0;
      return undefined;
    }
    const isMostlyRejected = this.#results >= recentResults && this.#transient > recentResults / 2;
    if (this.#throttlesInRow < throttlesToWait && !isMostlyRejected) return undefined;
    const waitMs = this.#waitsMs[Math.min(this.#waits, this.#waitsMs.length - 1)];
    this.#waits += 1;
    this.#reset();
    return waitMs;
  }

  #countTransient(isTransient: boolean): void {
    const index = this.#results % recentResults;
    this.#transient += Number(isTransient) - this.#recent[index]!;
    this.#recent[index] = Number(isTransient);
    this.#results += 1;
  }

  #reset(): void {
    this.#accepted = 0;
    this.#throttlesInRow = 0;
    this.#recent.fill(0);
    this.#results = 0;
    this.#transient = 0;
  }
}
