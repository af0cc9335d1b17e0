import type { Lease } from '../queue/held-chunk.queries.ts';

/** How far the messages of a lease may leave, and how many of them may have left without a stored result. */
export class WriteAheadMark {
  /** Of all recipients, in order. */
  readonly #seqs: Int32Array;
  readonly #lease: Lease | undefined;
  #committed: number;
  /** Where it was last asked to be: further on while the database has not said that it is there. */
  #requested: number;
  /** Marked ahead and not accounted for in the database. */
  #inFlight: number;

  /** @param lease  undefined for queued messages: their lease, committed, is the mark of all of them */
  constructor(seqs: Int32Array, lease: Lease | undefined) {
    this.#seqs = seqs;
    this.#lease = lease;
    this.#committed = lease?.markedUpTo ?? Number.MAX_SAFE_INTEGER;
    this.#requested = this.#committed;
    this.#inFlight = this.#countUpTo(this.#committed);
  }

  /** Messages that may have left without a stored result: what a kill at this moment would leave uncertain. */
  get inFlightCount(): number {
    return this.#inFlight;
  }

  /** There are recipients beyond it. */
  get hasUnmarked(): boolean {
    const last = this.#seqs.at(-1);
    return last !== undefined && last > this.#committed;
  }

  /** The database may have a mark that we do not know of, because its response got lost. */
  get isUnconfirmed(): boolean {
    return this.#requested !== this.#committed;
  }

  /** The message may leave. */
  covers(seq: number): boolean {
    return seq <= this.#committed;
  }

  /**
   * Moves on by up to so many messages, once that is committed.
   * @returns where it is to be
   */
  request(more: number): number {
    const target = more > 0 ? this.#next(more) : this.#requested;
    // Counted as open from now on, so that two batches cannot both take the room.
    this.#inFlight += this.#countUpTo(target) - this.#countUpTo(this.#requested);
    this.#requested = target;
    return target;
  }

  confirm(committed: number): void {
    this.#committed = committed;
    this.#requested = committed;
  }

  /** So many messages have a stored result. */
  release(count: number): void {
    this.#inFlight -= count;
  }

  #next(more: number): number {
    const from = this.#countUpTo(this.#requested);
    if (from === this.#seqs.length) return this.#requested;
    const last = this.#seqs[Math.min(from + more, this.#seqs.length) - 1]!;
    // The end of the chunk is its own limit: gaps behind the last recipient are accounted for already.
    return last === this.#seqs.at(-1) ? this.#lease!.lastSeq : last;
  }

  /** How many of the recipients have a seq up to `seq`: binary search, they are in order. */
  #countUpTo(seq: number): number {
    let low = 0;
    let high = this.#seqs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#seqs[middle]! <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
