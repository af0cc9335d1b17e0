import type { RateSlice } from '../queue/rates.queries.ts';

/** After the database could not be asked. */
const retryMs = 1_000;
/** A slice is what may be sent in so long: one query for each, however many messages. */
const sliceOfMs = 1_000;

export interface RateBucketOptions {
  perMinute: number;
  /** For the screen. */
  description: string;
  /** @param sliceMs  how long the slice lasts at this rate */
  lease: (sliceMs: number) => Promise<RateSlice>;
  /** Messages may start, or it is to be asked again. */
  onFree: () => void;
  /** Another slice is not allowed yet. */
  onReached: () => void;
}

/** Messages that one limit allows this worker to start. */
export class RateBucket {
  readonly perMinute: number;
  readonly description: string;
  /** Messages of one slice. */
  readonly slice: number;
  readonly #options: RateBucketOptions;
  #tokens = 0;
  #isWaiting = false;
  #isAsking = false;

  constructor(options: RateBucketOptions) {
    this.#options = options;
    this.perMinute = options.perMinute;
    this.description = options.description;
    this.slice = Math.max(1, Math.floor((options.perMinute * sliceOfMs) / 60_000));
  }

  /** Whether a message may start; if not, asks for the next slice. */
  get hasToken(): boolean {
    if (this.#tokens > 0) return true;
    if (!this.#isAsking && !this.#isWaiting) void this.#ask();
    return false;
  }

  take(): void {
    this.#tokens -= 1;
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    let waitMs = 0;
    try {
      const leased = await this.#options.lease((this.slice * 60_000) / this.perMinute);
      if (leased.isGranted) this.#tokens += this.slice;
      else {
        waitMs = leased.waitMs;
        this.#options.onReached();
      }
    } catch {
      waitMs = retryMs;
    } finally {
      this.#isAsking = false;
    }
    if (waitMs === 0) return this.#options.onFree();
    this.#isWaiting = true;
    setTimeout(() => {
      this.#isWaiting = false;
      this.#options.onFree();
    }, waitMs).unref();
  }
}
