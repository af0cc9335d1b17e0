import type { UncertainPolicy } from '@reachout/contract/statuses.ts';
import type { EmailRenderer } from '../../email/mime/email-renderer.ts';
import type { OutgoingMessage } from '../../email/transports/transport.ts';
import type { Outcome, Recipient } from '../queue/delivery.ts';
import type { Lease, Progress, SendRef } from '../queue/delivery.queries.ts';

/** What the messages of one send have in common, and how the send is doing. */
export interface ActiveSend {
  ref: SendRef;
  touchpointId: string;
  renderer: EmailRenderer;
  /** Date of every message, the same at each attempt, so that receivers can recognize a repeat. */
  startedAt: Date;
  uncertainPolicy: UncertainPolicy;
  /** Refusals in a row that are about the sender, and messages in a row that could not be built. */
  senderRefusals: number;
  renderFailures: number;
  /** Above 0 while a message took long to build not so many messages ago. */
  slowness: number;
}

/**
 * The recipients that one lease gave this worker, and how far they are: a chunk, or retries that were due. Pure
 * bookkeeping; the worker moves it on.
 */
export class DeliveryRun {
  readonly send: ActiveSend;
  readonly lease: Lease | undefined;
  /** In whose name it was leased. */
  readonly workerId: number;
  /** `performance.now()` of the last sign of life that the database saw. */
  renewedAt = performance.now();
  readonly #recipients: Recipient[];
  /** Surely unsent, to be started again before the others. */
  readonly #returned: Recipient[] = [];
  #next = 0;
  #underWay = 0;
  #startedUpto: number;
  /** Where the mark was last asked to be: further on while the database has not said that it is there. */
  #askedUpto: number;
  /** Marked ahead and not accounted for in the database. */
  #open: number;
  readonly #outcomes: Outcome[] = [];
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
    this.#startedUpto = lease?.startedUpto ?? Number.MAX_SAFE_INTEGER;
    this.#askedUpto = this.#startedUpto;
    this.#open = this.#countUpto(this.#startedUpto);
  }

  /** Messages that may have left without a stored outcome: what a kill at this moment would leave uncertain. */
  get openCount(): number {
    return this.#open;
  }

  get outcomeCount(): number {
    return this.#outcomes.length;
  }

  /** Has recipients beyond its mark, and may go on. */
  get wantsMore(): boolean {
    const last = this.#recipients.at(-1);
    return !this.isStopping && last !== undefined && last.seq > this.#startedUpto;
  }

  get isStarved(): boolean {
    return this.wantsMore && this.#returned.length === 0 && !this.#mayStart();
  }

  /** Nothing is under way, and nothing more will be started. */
  get isOver(): boolean {
    if (this.#underWay > 0) return false;
    return this.isStopping || (this.#returned.length === 0 && this.#next >= this.#recipients.length);
  }

  /** How many recipients are yet to be started. */
  get remaining(): number {
    return this.#recipients.length - this.#next + this.#returned.length;
  }

  /** The next recipient that may leave; undefined when there is none right now. */
  start(): Recipient | undefined {
    if (this.isStopping) return undefined;
    const recipient = this.#returned.pop() ?? (this.#mayStart() ? this.#recipients[this.#next++] : undefined);
    if (recipient !== undefined) this.#underWay += 1;
    return recipient;
  }

  finish(outcome: Outcome): void {
    this.#underWay -= 1;
    this.#outcomes.push(outcome);
  }

  /** Nothing of this message left: it goes back in front, and no attempt is counted. */
  putBack(recipient: Recipient): void {
    this.#underWay -= 1;
    this.#returned.push(recipient);
  }

  /** Whether the database may have a mark that we do not know of, because its response got lost. */
  get isMarkUnsure(): boolean {
    return this.#askedUpto !== this.#startedUpto;
  }

  /**
   * Takes what is to be stored now.
   * @param more how many further messages may be marked ahead
   */
  takeForStore(more: number): { outcomes: Outcome[]; progress: Progress | undefined } {
    const outcomes = this.#outcomes.splice(0);
    if (this.lease === undefined) return { outcomes, progress: undefined };
    const isReleased = this.isOver;
    const target = isReleased ? this.#firstUnsent() - 1 : this.#markFor(more);
    if (!isReleased) {
      // Counted as open from now on, so that two runs cannot both take the room.
      this.#open += this.#countUpto(target) - this.#countUpto(this.#askedUpto);
      this.#askedUpto = target;
    }
    const progress: Progress = {
      lo: this.lease.lo,
      leaseToken: this.lease.leaseToken,
      startedUpto: target,
      release: isReleased ? (target >= this.lease.hi ? 'done' : 'free') : undefined,
      leasedAt: this.lease.leasedAt,
    };
    return { outcomes, progress };
  }

  stored(taken: { outcomes: Outcome[]; progress: Progress | undefined }): void {
    this.#open -= taken.outcomes.length;
    if (taken.progress !== undefined) {
      this.#startedUpto = taken.progress.startedUpto;
      this.#askedUpto = this.#startedUpto;
    }
    this.renewedAt = performance.now();
  }

  /** It may or may not have been stored. The mark stays asked for: it must not go back, nor its room to others. */
  notStored(taken: { outcomes: Outcome[] }): void {
    this.#outcomes.unshift(...taken.outcomes);
  }

  /** What was leased but never started; for giving back. */
  unstarted(): number[] {
    return [...this.#returned, ...this.#recipients.slice(this.#next)].map(({ seq }) => seq);
  }

  /** All that was leased. */
  seqs(): number[] {
    return this.#recipients.map(({ seq }) => seq);
  }

  addressOf(seq: number): string {
    return this.#recipients[this.#countUpto(seq) - 1]!.address;
  }

  #mayStart(): boolean {
    const recipient = this.#recipients[this.#next];
    return recipient !== undefined && recipient.seq <= this.#startedUpto;
  }

  #markFor(more: number): number {
    if (!this.wantsMore || more <= 0) return this.#askedUpto;
    const from = this.#countUpto(this.#askedUpto);
    if (from === this.#recipients.length) return this.#askedUpto;
    const last = this.#recipients[Math.min(from + more, this.#recipients.length) - 1];
    // The end of the chunk is its own limit: gaps behind the last recipient are accounted for already.
    return last === this.#recipients.at(-1) ? this.lease!.hi : last!.seq;
  }

  /** The first seq of the chunk that nothing is known of; one past its end when all is accounted for. */
  #firstUnsent(): number {
    return Math.min(...this.unstarted(), this.lease!.hi + 1);
  }

  /** How many of the recipients have a seq up to `seq`: binary search, they are in order. */
  #countUpto(seq: number): number {
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
export function buildMessage(send: ActiveSend, recipient: Recipient): OutgoingMessage {
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
