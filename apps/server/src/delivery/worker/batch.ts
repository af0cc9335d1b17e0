import type { Lease } from '../queue/held-chunk.queries.ts';
import type { Recipient } from '../queue/delivery.ts';
import type { ActiveSend } from './active-send.ts';
import type { FinishedMessage, Unstored } from './finished-message.ts';
import type { Lane } from './lane.ts';
import { RecipientQueue } from './recipient-queue.ts';
import { WriteAheadMark } from './write-ahead-mark.ts';

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
  /** Addresses that became suppressed since it was leased, in lower case. */
  readonly suppressed = new Set<string>();
  readonly mark: WriteAheadMark;
  readonly #queue: RecipientQueue;
  readonly #finished: FinishedMessage[] = [];
  #inProgress = 0;

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
    this.#queue = new RecipientQueue(recipients);
    this.mark = new WriteAheadMark(this.#queue.seqs, lease);
  }

  get unstoredCount(): number {
    return this.#finished.length;
  }

  /** Nothing more is started: what is not under way is given back, with what only this worker knows of it. */
  get isClosed(): boolean {
    return this.isStopping || this.isDraining;
  }

  /** Has messages to start. */
  get isOpen(): boolean {
    return !this.isClosed && this.remaining > 0;
  }

  /** Has recipients beyond its mark, and may go on. */
  get hasUnmarked(): boolean {
    return !this.isClosed && this.mark.hasUnmarked;
  }

  /** Nothing can start before the mark moves on. */
  get isStarved(): boolean {
    return this.hasUnmarked && !this.#queue.hasNext(this.mark);
  }

  /** Nothing is under way, and nothing more will be started. */
  get isFinished(): boolean {
    return this.#inProgress === 0 && (this.isClosed || this.remaining === 0);
  }

  /** How many recipients are yet to be started. */
  get remaining(): number {
    return this.#queue.length;
  }

  isSuppressed({ is_suppressed, address }: Recipient): boolean {
    return is_suppressed || (this.suppressed.size > 0 && this.suppressed.has(address.toLowerCase()));
  }

  /** The next recipient that may be sent to now, if any. */
  start(): Recipient | undefined {
    if (this.isClosed) return undefined;
    const recipient = this.#queue.take(this.mark);
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
    this.#queue.requeue(recipient);
  }

  /**
   * Takes what is to be stored now.
   * @param more how many further messages may be marked ahead
   */
  takeUnstored(more: number): Unstored {
    const finished = this.#finished.splice(0);
    if (this.lease === undefined || this.isLost) return { finished, progress: undefined };
    const isReleased = this.isFinished;
    const { firstSeq, lastSeq, leaseToken, leasedAt } = this.lease;
    const markedUpTo = isReleased
      ? Math.min(...this.unstarted(), lastSeq + 1) - 1
      : this.mark.request(this.hasUnmarked ? more : 0);
    const release = isReleased ? (markedUpTo >= lastSeq ? 'done' : 'free') : undefined;
    return { finished, progress: { firstSeq, leaseToken, markedUpTo, release, leasedAt } };
  }

  confirmStored({ finished, progress }: Unstored): void {
    this.mark.release(finished.length);
    for (const { settle } of finished) settle();
    if (progress !== undefined) this.mark.confirm(progress.markedUpTo);
    this.renewedAt = performance.now();
  }

  /** It may or may not have been stored. The mark stays asked for: it must not go back, nor its room to others. */
  restoreUnstored({ finished }: Unstored): void {
    this.#finished.unshift(...finished);
  }

  /** Recipients that were never started, to be given back. */
  unstarted(): number[] {
    return this.#queue.toSeqs();
  }

  /** All that was leased. */
  seqs(): number[] {
    return [...this.#queue.seqs];
  }
}
