import type { UncertainPolicy } from '@reachout/contract/statuses.ts';
import type { EmailRenderer } from '../../email/mime/email-renderer.ts';
import type { OutgoingMessage } from '../../email/transports/transport.ts';
import type { DeliveryResult, Recipient } from '../queue/delivery.ts';
import type { SendHealth } from './send-health.ts';
import type { Lease, LeaseProgress, SendKey } from '../queue/delivery.queries.ts';

/** The shared state of the messages of one send. */
export interface ActiveSend {
  ref: SendKey;
  touchpointId: string;
  renderer: EmailRenderer;
  /** Date of every message, the same at each attempt, so that receivers can recognize a repeat. */
  startedAt: Date;
  uncertainPolicy: UncertainPolicy;
  health: SendHealth;
  /** Before that, its failures and dead workers still count. */
  hasLeased: boolean;
  /** Messages that a dead worker had under way are being built on trial. */
  isTrying: boolean;
  /** Pausing itself is under way. */
  isPausing: boolean;
  /** Above 0 while a message took long to build not so many messages ago. */
  slowness: number;
}

/**
 * The recipients that one lease gave this worker, and how far they are: a chunk, or retries that were due. Pure
 * bookkeeping; the worker moves it on.
 */
export class LeasedBatch {
  readonly send: ActiveSend;
  readonly lease: Lease | undefined;
  /** In whose name it is leased. */
  workerId: number;
  /** `performance.now()` of the last sign of life that the database saw. */
  renewedAt = performance.now();
  readonly #recipients: Recipient[];
  /** Surely unsent, to be started again before the others. */
  readonly #requeued: Recipient[] = [];
  #next = 0;
  #inProgress = 0;
  #markedUpTo: number;
  /** Where the mark was last asked to be: further on while the database has not said that it is there. */
  #requestedMark: number;
  /** Marked ahead and not accounted for in the database. */
  #inFlight: number;
  readonly #results: DeliveryResult[] = [];
  readonly suppressed = new Set<string>();
  isStopping = false;
  isStoring = false;
  /** All is stored, and what is left is being given back. */
  isEnding = false;

  constructor(send: ActiveSend, workerId: number, recipients: Recipient[], lease: Lease | undefined) {
    this.send = send;
    this.workerId = workerId;
    this.lease = lease;
    this.#recipients = recipients;
    this.#markedUpTo = lease?.markedUpTo ?? Number.MAX_SAFE_INTEGER;
    this.#requestedMark = this.#markedUpTo;
    this.#inFlight = this.#countUpTo(this.#markedUpTo);
  }

  /** Messages that may have left without a stored result: what a kill at this moment would leave uncertain. */
  get inFlightCount(): number {
    return this.#inFlight;
  }

  get resultCount(): number {
    return this.#results.length;
  }

  /** Has recipients beyond its mark, and may go on. */
  get hasUnmarked(): boolean {
    const last = this.#recipients.at(-1);
    return !this.isStopping && last !== undefined && last.seq > this.#markedUpTo;
  }

  get isStarved(): boolean {
    return this.hasUnmarked && this.#requeued.length === 0 && !this.#canStart();
  }

  /** Nothing is under way, and nothing more will be started. */
  get isFinished(): boolean {
    if (this.#inProgress > 0) return false;
    return this.isStopping || (this.#requeued.length === 0 && this.#next >= this.#recipients.length);
  }

  /** How many recipients are yet to be started. */
  get remaining(): number {
    return this.#recipients.length - this.#next + this.#requeued.length;
  }

  /** The next recipient that may be sent to now, if any. */
  start(): Recipient | undefined {
    if (this.isStopping) return undefined;
    const recipient = this.#requeued.pop() ?? (this.#canStart() ? this.#recipients[this.#next++] : undefined);
    if (recipient !== undefined) this.#inProgress += 1;
    return recipient;
  }

  finish(result: DeliveryResult): void {
    this.#inProgress -= 1;
    this.#results.push(result);
  }

  /** Nothing of this message left: it goes back in front, and no attempt is counted. */
  requeue(recipient: Recipient): void {
    this.#inProgress -= 1;
    this.#requeued.push(recipient);
  }

  /** Whether the database may have a mark that we do not know of, because its response got lost. */
  get isMarkUnconfirmed(): boolean {
    return this.#requestedMark !== this.#markedUpTo;
  }

  /**
   * Takes what is to be stored now.
   * @param more how many further messages may be marked ahead
   */
  takeUnstored(more: number): { results: DeliveryResult[]; progress: LeaseProgress | undefined } {
    const results = this.#results.splice(0);
    if (this.lease === undefined) return { results, progress: undefined };
    const isReleased = this.isFinished;
    const target = isReleased ? this.#firstUnsent() - 1 : this.#nextMark(more);
    if (!isReleased) {
      // Counted as open from now on, so that two batches cannot both take the room.
      this.#inFlight += this.#countUpTo(target) - this.#countUpTo(this.#requestedMark);
      this.#requestedMark = target;
    }
    const progress: LeaseProgress = {
      firstSeq: this.lease.firstSeq,
      leaseToken: this.lease.leaseToken,
      markedUpTo: target,
      release: isReleased ? (target >= this.lease.lastSeq ? 'done' : 'free') : undefined,
      leasedAt: this.lease.leasedAt,
    };
    return { results, progress };
  }

  confirmStored(taken: { results: DeliveryResult[]; progress: LeaseProgress | undefined }): void {
    this.#inFlight -= taken.results.length;
    if (taken.progress !== undefined) {
      this.#markedUpTo = taken.progress.markedUpTo;
      this.#requestedMark = this.#markedUpTo;
    }
    this.renewedAt = performance.now();
  }

  /** It may or may not have been stored. The mark stays asked for: it must not go back, nor its room to others. */
  restoreUnstored(taken: { results: DeliveryResult[] }): void {
    this.#results.unshift(...taken.results);
  }

  /** Leased recipients that were never started, to be released. */
  unstarted(): number[] {
    return [...this.#requeued, ...this.#recipients.slice(this.#next)].map(({ seq }) => seq);
  }

  /** All that was leased. */
  seqs(): number[] {
    return this.#recipients.map(({ seq }) => seq);
  }

  addressOf(seq: number): string {
    return this.#recipients[this.#countUpTo(seq) - 1]!.address;
  }

  #canStart(): boolean {
    const recipient = this.#recipients[this.#next];
    return recipient !== undefined && recipient.seq <= this.#markedUpTo;
  }

  #nextMark(more: number): number {
    if (!this.hasUnmarked || more <= 0) return this.#requestedMark;
    const from = this.#countUpTo(this.#requestedMark);
    if (from === this.#recipients.length) return this.#requestedMark;
    const last = this.#recipients[Math.min(from + more, this.#recipients.length) - 1];
    // The end of the chunk is its own limit: gaps behind the last recipient are accounted for already.
    return last === this.#recipients.at(-1) ? this.lease!.lastSeq : last!.seq;
  }

  /** The first seq of the chunk that nothing is known of; one past its end when all is accounted for. */
  #firstUnsent(): number {
    return Math.min(...this.unstarted(), this.lease!.lastSeq + 1);
  }

  /** How many of the recipients have a seq up to `seq`: binary search, they are in order. */
  #countUpTo(seq: number): number {
    let low = 0;
    let high = this.#recipients.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#recipients[middle]!.seq <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Builds the message of one recipient. @throws RenderError */
export function buildMessage(
  send: Pick<ActiveSend, 'renderer' | 'startedAt'>,
  recipient: Recipient,
): OutgoingMessage {
  return send.renderer.build(
    {
      seq: recipient.seq,
      contactId: recipient.contact_id,
      address: recipient.address,
      variables: recipient.variables,
    },
    send.startedAt,
  );
}
