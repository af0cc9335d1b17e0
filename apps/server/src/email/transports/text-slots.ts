/** Releases the slot; further calls do nothing. */
export type ReleaseSlot = () => void;

/** A slot that is held longer waits for a late reply: other results are stored within a few milliseconds. */
const longMs = 50;

/**
 * Limits the number of sent texts whose results are not settled yet: a sent text may have been accepted, so that these
 * messages are uncertain after the process is killed.
 */
export class TextSlots {
  readonly count: number;
  #free: number;
  /** `performance.now()` when each slot in use was taken, the oldest first. */
  readonly #takenAt = new Map<ReleaseSlot, number>();
  readonly #waiting = new Set<(release: ReleaseSlot) => void>();

  constructor(count: number) {
    this.count = count;
    this.#free = count;
  }

  get inUse(): number {
    return this.count - this.#free;
  }

  /** Slots that are held for long. */
  get heldLong(): number {
    const since = performance.now() - longMs;
    let count = 0;
    for (const takenAt of this.#takenAt.values()) {
      if (takenAt > since) break;
      count += 1;
    }
    return count;
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
    const release = () => {
      if (!this.#takenAt.delete(release)) return;
      const [next] = this.#waiting;
      if (next === undefined) {
        this.#free += 1;
        return;
      }
      this.#waiting.delete(next);
      next(this.#createRelease());
    };
    this.#takenAt.set(release, performance.now());
    return release;
  }
}
