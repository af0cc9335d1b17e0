/** An answer that takes longer is slow. */
const slowMs = 1_000;
/** Slow answers count up to here, quick ones back. */
const maxSlowness = 16;
/** After so many the lane is known. */
const answersToTrust = 8;
const recoveryPerMinute = 0.1;
const minLevel = 1 / 16;

/** Of the connections, for a lane that is slow or new beside others. */
export const smallShare = 1 / 8;

/** How many messages of one lane may be at the mail server at once. */
export class LaneWindow {
  /** Messages that keep the transport busy: two for each connection. */
  readonly #capacity: number;
  #answers = 0;
  #quickAnswers = 0;
  #slowness = 0;
  /** Of the slots, what the provider's rejections have left. */
  #level = 1;
  #levelSetAt = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Most of the last answers were slow. */
  get isSlow(): boolean {
    return this.#slowness > maxSlowness / 2;
  }

  get isQuick(): boolean {
    return !this.isSlow && this.#quickAnswers >= answersToTrust;
  }

  /** Its messages are answered at all. */
  get isKnown(): boolean {
    return this.#answers >= answersToTrust;
  }

  /** @param share  messages at most beside other lanes; undefined while no other lane has messages to start */
  slots(share: number | undefined): number {
    const small = (this.#capacity / 2) * smallShare;
    const grown = small + 2 * this.#answers;
    const most =
      share === undefined
        ? Math.min(this.#capacity, grown)
        : Math.min(share, this.isSlow ? small : small + this.#quickAnswers);
    return Math.max(1, Math.floor(most * this.#currentLevel()));
  }

  recordAnswer(tookMs: number): void {
    const isQuick = tookMs < slowMs;
    this.#slowness = Math.min(maxSlowness, Math.max(0, this.#slowness + (isQuick ? -1 : 1)));
    this.#answers = Math.min(this.#capacity, this.#answers + 1);
    if (isQuick) this.#quickAnswers = Math.min(this.#capacity, this.#quickAnswers + 1);
  }

  /** The provider wants less. The slots come back by a tenth a minute. */
  halve(): void {
    this.#level = Math.max(minLevel, this.#currentLevel() / 2);
    this.#levelSetAt = performance.now();
  }

  #currentLevel(): number {
    const minutes = (performance.now() - this.#levelSetAt) / 60_000;
    return Math.min(1, this.#level + minutes * recoveryPerMinute);
  }
}
