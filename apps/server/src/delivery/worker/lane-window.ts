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
