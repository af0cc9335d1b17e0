import type { Recipient } from '../../queue/delivery.ts';
import type { Lease } from '../../queue/held-chunk.queries.ts';
import type { ActiveSend } from './active-send.ts';
import type { FinishedMessage, Unstored } from './finished-message.ts';
import type { Lane } from './lane.ts';
import { RecipientQueue, WriteAheadMark } from './recipient-queue.ts';

/**
 * The recipients of one lease, of a chunk or of due queued messages, and their progress. Bookkeeping without I/O; other
 * parts of the worker drive it.
 */
export class Batch {
  readonly send: ActiveSend;
  /** Lane of all its recipients. */
  readonly lane: Lane;
  /** Undefined for queued messages: their committed lease marks all of them. */
  readonly lease: Lease | undefined;
  /** Worker id under which it is leased. */
  workerId: number;
  /** `performance.now()` of the last renewal of the lease; storing results renews that of a chunk. */
  renewedAt = performance.now();
  /** Nothing more is started, and started messages whose text was not sent yet are withdrawn. */
  isStopping = false;
  /** Nothing more is started, but started messages may still be sent. */
  isDraining = false;
  isStoring = false;
  /** Failed commits in a row while the database was there. */
  storeFailures = 0;
  /** All results are stored, and the rest is being given back. */
  isEnding = false;
  /** Another worker holds the chunk. */
  isLost = false;
  /** Addresses that were suppressed after the lease, in lower case. */
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

  /** Nothing more is started. Messages not in progress are given back; state held only in memory is lost. */
  get isClosed(): boolean {
    return this.isStopping || this.isDraining;
  }

  /** Whether it has messages to start. */
  get isOpen(): boolean {
    return !this.isClosed && this.remaining > 0;
  }

  /** Whether it has recipients above its mark, and is not closed. */
  get hasUnmarked(): boolean {
    return !this.isClosed && this.mark.hasUnmarked;
  }

  /** Whether nothing can start before the mark moves. */
  get isStarved(): boolean {
    return this.hasUnmarked && !this.#queue.hasNext(this.mark);
  }

  /** Whether nothing is in progress, and nothing more will be started. */
  get isFinished(): boolean {
    return this.#inProgress === 0 && (this.isClosed || this.remaining === 0);
  }

  /** Number of recipients not started yet. */
  get remaining(): number {
    return this.#queue.length;
  }

  isSuppressed({ is_suppressed, address }: Recipient): boolean {
    return is_suppressed || (this.suppressed.size > 0 && this.suppressed.has(address.toLowerCase()));
  }

  /** Takes the next recipient that may be sent to now, if any. */
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

  /** Puts a message that was not sent back at the front, without counting an attempt. */
  requeue(recipient: Recipient): void {
    this.#inProgress -= 1;
    this.#queue.requeue(recipient);
  }

  /**
   * Takes the results to store now, with the next mark.
   * @param more maximum number of further messages to mark
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
    // Storing the results of queued messages renews no lease of the others.
    if (this.lease !== undefined) this.renewedAt = performance.now();
  }

  /** Puts back results whose commit failed or is unknown. The requested mark may be committed: it and its slots are kept. */
  restoreUnstored({ finished }: Unstored): void {
    this.#finished.unshift(...finished);
  }

  /** Seqs of the recipients that are waiting to be started, to be given back. */
  unstarted(): number[] {
    return this.#queue.toSeqs();
  }

  /** Seqs of all leased recipients. */
  seqs(): number[] {
    return [...this.#queue.seqs];
  }
}
