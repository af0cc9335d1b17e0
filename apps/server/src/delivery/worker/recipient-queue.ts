import type { Recipient } from '../../queue/delivery.ts';
import type { Lease } from '../../queue/held-chunk.queries.ts';

/** The recipients of a lease that have not been started. */
export class RecipientQueue {
  /** Seqs of all recipients, in order. */
  readonly seqs: Int32Array;
  /** In the order of their seq. Started ones are removed, to free memory. */
  readonly #recipients: (Recipient | undefined)[];
  /** Recipients whose message was certainly not sent; they are started again before the others. */
  readonly #requeued: Recipient[] = [];
  #next = 0;

  constructor(recipients: readonly Recipient[]) {
    this.seqs = Int32Array.from(recipients, ({ seq }) => seq);
    this.#recipients = [...recipients];
  }

  get length(): number {
    return this.#recipients.length - this.#next + this.#requeued.length;
  }

  /** Whether a recipient can be started before the mark moves. */
  hasNext(mark: WriteAheadMark): boolean {
    return this.#requeued.length > 0 || this.#hasMarked(mark);
  }

  take(mark: WriteAheadMark): Recipient | undefined {
    return this.#requeued.pop() ?? (this.#hasMarked(mark) ? this.#takeNext() : undefined);
  }

  requeue(recipient: Recipient): void {
    this.#requeued.push(recipient);
  }

  /** Seqs, those of requeued recipients first. */
  toSeqs(): number[] {
    return [...this.#requeued.map(({ seq }) => seq), ...this.seqs.subarray(this.#next)];
  }

  #hasMarked(mark: WriteAheadMark): boolean {
    const seq = this.seqs[this.#next];
    return seq !== undefined && mark.covers(seq);
  }

  #takeNext(): Recipient {
    const recipient = this.#recipients[this.#next]!;
    this.#recipients[this.#next] = undefined;
    this.#next += 1;
    return recipient;
  }
}

/** Up to which seq the messages of a lease may be sent, and how many may have been sent without a stored result. */
export class WriteAheadMark {
  /** Seqs of all recipients, in order. */
  readonly #seqs: Int32Array;
  readonly #lease: Lease | undefined;
  #committed: number;
  /** The last requested mark: ahead of `#committed` until the database has confirmed it. */
  #requested: number;
  /** Number of marked messages without a stored result. */
  #inFlight: number;

  /** @param lease  undefined for queued messages: their committed lease marks all of them */
  constructor(seqs: Int32Array, lease: Lease | undefined) {
    this.#seqs = seqs;
    this.#lease = lease;
    this.#committed = lease?.markedUpTo ?? Number.MAX_SAFE_INTEGER;
    this.#requested = this.#committed;
    this.#inFlight = this.#countUpTo(this.#committed);
  }

  /** Messages that may have been sent without a stored result: a kill now would make them uncertain. */
  get inFlightCount(): number {
    return this.#inFlight;
  }

  /** Whether there are recipients above the mark. */
  get hasUnmarked(): boolean {
    const last = this.#seqs.at(-1);
    return last !== undefined && last > this.#committed;
  }

  /** Whether the database may have a mark unknown to this worker, because its response was lost. */
  get isUnconfirmed(): boolean {
    return this.#requested !== this.#committed;
  }

  /** Whether the message may be sent. */
  covers(seq: number): boolean {
    return seq <= this.#committed;
  }

  /**
   * Requests to move the mark by up to `more` messages; it moves once that is committed.
   * @returns the requested mark
   */
  request(more: number): number {
    const target = more > 0 ? this.#next(more) : this.#requested;
    // Counted as in flight from now on, so that two batches cannot both use the slots.
    this.#inFlight += this.#countUpTo(target) - this.#countUpTo(this.#requested);
    this.#requested = target;
    return target;
  }

  confirm(committed: number): void {
    this.#committed = committed;
    this.#requested = committed;
  }

  /** Subtracts messages whose result is stored. */
  release(count: number): void {
    this.#inFlight -= count;
  }

  #next(more: number): number {
    const from = this.#countUpTo(this.#requested);
    if (from === this.#seqs.length) return this.#requested;
    const last = this.#seqs[Math.min(from + more, this.#seqs.length) - 1]!;
    // After the last recipient, the mark goes to the end of the chunk: the seqs in between are accounted for already.
    return last === this.#seqs.at(-1) ? this.#lease!.lastSeq : last;
  }

  /** Counts the recipients with a seq up to `seq`, by binary search. */
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
