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
  /** The slots that are not in use. */
  readonly #free: number[];
  /** `performance.now()` when each slot was taken; Infinity while it is free. Read after every result of a message. */
  readonly #takenAt: Float64Array;
  readonly #waiting = new Set<(release: ReleaseSlot) => void>();

  constructor(count: number) {
    this.count = count;
    this.#free = Array.from({ length: count }, (_, slot) => slot);
    this.#takenAt = new Float64Array(count).fill(Infinity);
  }

  get inUse(): number {
    return this.count - this.#free.length;
  }

  /** Slots that are held for long. */
  get heldLong(): number {
    const since = performance.now() - longMs;
    let count = 0;
    for (const takenAt of this.#takenAt) if (takenAt <= since) count += 1;
    return count;
  }

  /** Calls `onFree` with a slot, immediately or as soon as one is free; requests are queued first in, first out. */
  request(onFree: (release: ReleaseSlot) => void): void {
    const slot = this.#free.pop();
    if (slot === undefined) this.#waiting.add(onFree);
    else onFree(this.#take(slot));
  }

  /** Cancels a request that was not served yet. */
  cancel(onFree: (release: ReleaseSlot) => void): void {
    this.#waiting.delete(onFree);
  }

  #take(slot: number): ReleaseSlot {
    this.#takenAt[slot] = performance.now();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const [next] = this.#waiting;
      if (next === undefined) {
        this.#takenAt[slot] = Infinity;
        this.#free.push(slot);
        return;
      }
      this.#waiting.delete(next);
      next(this.#take(slot));
    };
  }
}
