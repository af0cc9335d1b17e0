import type { TransportResult } from '../../email/transports/transport.ts';

/** Replies that take longer are slow. */
export const slowMs = 1_000;
/** Maximum of the slowness counter: slow replies increment it, quick ones decrement it. */
const maxSlowness = 16;
/** Number of replies after which the speed of a lane is known. */
const repliesToTrust = 8;
const recoveryPerMinute = 0.1;
const minLevel = 1 / 16;

/** Share of the connections for a lane that is slow or new, beside other lanes. */
export const smallShare = 1 / 8;

/** Limits how many messages of one lane may be at the mail server at once. */
export class LaneWindow {
  /** Messages that keep the transport busy: two per connection. */
  readonly #capacity: number;
  #replies = 0;
  #quickReplies = 0;
  #slowness = 0;
  /** Fraction of the slots that is left after rejections by the provider. */
  #level = 1;
  #levelSetAt = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Whether most of the last replies were slow. */
  get isSlow(): boolean {
    return this.#slowness > maxSlowness / 2;
  }

  get isQuick(): boolean {
    return !this.isSlow && this.#quickReplies >= repliesToTrust;
  }

  /** Whether the mail server has replied to at least `repliesToTrust` messages. */
  get isKnown(): boolean {
    return this.#replies >= repliesToTrust;
  }

  /** @param share  maximum messages beside other lanes; undefined while no other lane has messages to start */
  slots(share: number | undefined): number {
    const small = (this.#capacity / 2) * smallShare;
    const grown = small + 2 * this.#replies;
    const most =
      share === undefined
        ? Math.min(this.#capacity, grown)
        : Math.min(share, this.isSlow ? small : small + this.#quickReplies);
    return Math.max(1, Math.floor(most * this.#currentLevel()));
  }

  recordReply(tookMs: number): void {
    const isQuick = tookMs < slowMs;
    this.#slowness = Math.min(maxSlowness, Math.max(0, this.#slowness + (isQuick ? -1 : 1)));
    this.#replies = Math.min(this.#capacity, this.#replies + 1);
    if (isQuick) this.#quickReplies = Math.min(this.#capacity, this.#quickReplies + 1);
  }

  /** Halves the slots when the lane begins to wait. The level recovers by 0.1 a minute. */
  halve(): void {
    this.#level = Math.max(minLevel, this.#currentLevel() / 2);
    this.#levelSetAt = performance.now();
  }

  #currentLevel(): number {
    const minutes = (performance.now() - this.#levelSetAt) / 60_000;
    return Math.min(1, this.#level + minutes * recoveryPerMinute);
  }
}

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
