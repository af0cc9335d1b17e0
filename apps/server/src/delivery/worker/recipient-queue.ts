import type { Recipient } from '../../queue/delivery.ts';
import type { WriteAheadMark } from './write-ahead-mark.ts';

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
