import type { Lease, LeaseProgress } from '../queue/held-chunk.queries.ts';
import type { DeliveryResult, Recipient } from '../queue/delivery.ts';
import type { Bounce } from '../queue/bounces.ts';
import type { ActiveSend } from './active-send.ts';
import type { Lane } from './lane.ts';

/** What came of a message, to be stored. */
export interface FinishedMessage {
  result: DeliveryResult;
  /** Made once, so that a store that is repeated repeats the same event. */
  bounce: Bounce | undefined;
  /** Lets the next text leave (MailTransport). */
  settle: () => void;
}

/** What is being stored. */
export interface Unstored {
  finished: FinishedMessage[];
  /** Undefined for queued messages. */
  progress: LeaseProgress | undefined;
}

/**
 * The recipients that one lease gave this worker, and how far they are: a chunk, or queued messages that
 * were due. Pure bookkeeping; the worker moves it on.
 */
export class Batch {
  readonly send: ActiveSend;
  /** Of all its recipients. */
  readonly lane: Lane;
  /** Undefined for queued messages. Their lease, committed, is the mark of all of them. */
  readonly lease: Lease | undefined;
  /** In whose name it is leased. */
  workerId: number;
  /** `performance.now()` of the last sign of life that the database saw. */
  renewedAt = performance.now();
  /** Nothing more is started, and what was started and did not leave is taken back. */
  isStopping = false;
  /** Nothing more is started, but what was started may leave. */
  isDraining = false;
  isStoring = false;
  /** All is stored, and what is left is being given back. */
  isEnding = false;
  /** Somebody else holds the chunk by now. */
  isLost = false;
  readonly suppressed = new Set<string>();
  /** In the order of their seq. Those that have been started are let go. */
  readonly #recipients: (Recipient | undefined)[];
  readonly #seqs: Int32Array;
  /** Surely unsent, to be started again before the others. */
  readonly #requeued: Recipient[] = [];
  readonly #finished: FinishedMessage[] = [];
  #next = 0;
  #inProgress = 0;
  #markedUpTo: number;
  /** Where the mark was last asked to be: further on while the database has not said that it is there. */
  #requestedMark: number;
  /** Marked ahead and not accounted for in the database. */
  #inFlight: number;

  constructor(
    send: ActiveSend,
    lane: Lane,
    workerId: number,
    recipients: Recipient[],
    lease: Lease | undefined,
  ) {
    this.send = send;
    this.lane = lane;
    this.workerId = workerId;
    this.lease = lease;
    this.#recipients = [...recipients];
    this.#seqs = Int32Array.from(recipients, ({ seq }) => seq);
    this.#markedUpTo = lease?.markedUpTo ?? Number.MAX_SAFE_INTEGER;
    this.#requestedMark = this.#markedUpTo;
    this.#inFlight = this.#countUpTo(this.#markedUpTo);
  }

  /** Messages that may have left without a stored result: what a kill at this moment would leave uncertain. */
  get inFlightCount(): number {
    return this.#inFlight;
  }

  get unstoredCount(): number {
    return this.#finished.length;
  }

  /** Has messages to start. */
  get isOpen(): boolean {
    return !this.#isClosed && this.remaining > 0;
  }

  /** Has recipients beyond its mark, and may go on. */
  get hasUnmarked(): boolean {
    const last = this.#seqs.at(-1);
    return !this.#isClosed && last !== undefined && last > this.#markedUpTo;
  }

  /** Nothing can start before the mark moves on. */
  get isStarved(): boolean {
    return this.hasUnmarked && this.#requeued.length === 0 && !this.#canStart();
  }

  /** Nothing is under way, and nothing more will be started. */
  get isFinished(): boolean {
    return this.#inProgress === 0 && (this.#isClosed || this.remaining === 0);
  }

  /** How many recipients are yet to be started. */
  get remaining(): number {
    return this.#recipients.length - this.#next + this.#requeued.length;
  }

  /** Whether the database may have a mark that we do not know of, because its response got lost. */
  get isMarkUnconfirmed(): boolean {
    return this.#requestedMark !== this.#markedUpTo;
  }

  /** The next recipient that may be sent to now, if any. */
  start(): Recipient | undefined {
    if (this.#isClosed) return undefined;
    const recipient = this.#requeued.pop() ?? (this.#canStart() ? this.#takeNext() : undefined);
    if (recipient !== undefined) this.#inProgress += 1;
    return recipient;
  }

  finish(message: FinishedMessage): void {
    this.#inProgress -= 1;
    this.#finished.push(message);
  }

  /** Nothing of this message left: it goes back in front, and no attempt is counted. */
  requeue(recipient: Recipient): void {
    this.#inProgress -= 1;
    this.#requeued.push(recipient);
  }

  /**
   * Takes what is to be stored now.
   * @param more how many further messages may be marked ahead
   */
  takeUnstored(more: number): Unstored {
    const finished = this.#finished.splice(0);
    if (this.lease === undefined || this.isLost) return { finished, progress: undefined };
    const isReleased = this.isFinished;
    const target = isReleased ? this.#firstUnsent() - 1 : this.#nextMark(more);
    if (!isReleased) {
      // Counted as open from now on, so that two batches cannot both take the room.
      this.#inFlight += this.#countUpTo(target) - this.#countUpTo(this.#requestedMark);
      this.#requestedMark = target;
    }
    const { firstSeq, lastSeq, leaseToken, leasedAt } = this.lease;
    const release = isReleased ? (target >= lastSeq ? 'done' : 'free') : undefined;
    return { finished, progress: { firstSeq, leaseToken, markedUpTo: target, release, leasedAt } };
  }

  confirmStored({ finished, progress }: Unstored): void {
    this.#inFlight -= finished.length;
    for (const { settle } of finished) settle();
    if (progress !== undefined) {
      this.#markedUpTo = progress.markedUpTo;
      this.#requestedMark = this.#markedUpTo;
    }
    this.renewedAt = performance.now();
  }

  /** It may or may not have been stored. The mark stays asked for: it must not go back, nor its room to others. */
  restoreUnstored({ finished }: Unstored): void {
    this.#finished.unshift(...finished);
  }

  /** Recipients that were never started, to be given back. */
  unstarted(): number[] {
    return [...this.#requeued.map(({ seq }) => seq), ...this.#seqs.subarray(this.#next)];
  }

  /** All that was leased. */
  seqs(): number[] {
    return [...this.#seqs];
  }

  get #isClosed(): boolean {
    return this.isStopping || this.isDraining;
  }

  #canStart(): boolean {
    const seq = this.#seqs[this.#next];
    return seq !== undefined && seq <= this.#markedUpTo;
  }

  #takeNext(): Recipient {
    const recipient = this.#recipients[this.#next]!;
    this.#recipients[this.#next] = undefined;
    this.#next += 1;
    return recipient;
  }

  #nextMark(more: number): number {
    if (!this.hasUnmarked || more <= 0) return this.#requestedMark;
    const from = this.#countUpTo(this.#requestedMark);
    if (from === this.#seqs.length) return this.#requestedMark;
    const last = this.#seqs[Math.min(from + more, this.#seqs.length) - 1]!;
    // The end of the chunk is its own limit: gaps behind the last recipient are accounted for already.
    return last === this.#seqs.at(-1) ? this.lease!.lastSeq : last;
  }

  /** The first seq of the chunk that nothing is known of; one past its end when all is accounted for. */
  #firstUnsent(): number {
    return Math.min(...this.unstarted(), this.lease!.lastSeq + 1);
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
