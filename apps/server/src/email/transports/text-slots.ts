/** Releases the slot; further calls do nothing. */
export type ReleaseSlot = () => void;

/**
 * Limits the number of sent texts whose results are not settled yet: a sent text may have been accepted, so that these
 * messages are uncertain after the process is killed.
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

  /** Calls `onFree` with a slot, immediately or as soon as one is free; requests are queued first in, first out. */
  request(onFree: (release: ReleaseSlot) => void): void {
    if (this.#free === 0) {
      this.#waiting.add(onFree);
      return;
    }
    this.#free -= 1;
    onFree(this.#createRelease());
  }

  /** Cancels a request that was not served yet. */
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
