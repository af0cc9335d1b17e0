/** Gives the slot back; further calls do nothing. */
export type ReleaseSlot = () => void;

/**
 * Lets a limited number of texts leave whose results are not settled yet: a text that has left may have been accepted, so
 * these are the messages that are unclear after the process was killed.
 */
export class TextSlots {
  readonly count: number;
  #free: number;
  readonly #waiting = new Set<(release: ReleaseSlot) => void>();

  constructor(count: number) {
    this.count = count;
    this.#free = count;
  }

  get inUse(): number {
    return this.count - this.#free;
  }

  /** Calls `onFree` with a slot: at once, or when it is the next in the queue. */
  request(onFree: (release: ReleaseSlot) => void): void {
    if (this.#free === 0) {
      this.#waiting.add(onFree);
      return;
    }
    this.#free -= 1;
    onFree(this.#createRelease());
  }

  /** Takes a request back that was not served yet. */
  cancel(onFree: (release: ReleaseSlot) => void): void {
    this.#waiting.delete(onFree);
  }

  #createRelease(): ReleaseSlot {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const [next] = this.#waiting;
      if (next === undefined) {
        this.#free += 1;
        return;
      }
      this.#waiting.delete(next);
      next(this.#createRelease());
    };
  }
}
