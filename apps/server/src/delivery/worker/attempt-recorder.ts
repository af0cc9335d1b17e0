import type { Handover } from '../../email/transports/transport.ts';
import { processNow } from '../../platform/process-clock.ts';
import { countTry, toDeliveryResult, type Recipient } from '../../queue/delivery.ts';
import type { Batch } from './batch.ts';
import type { Batches } from './batches.ts';
import { toBounce } from './bounce.ts';
import type { BackOff } from './lane.ts';
import type { Rates } from './rates.ts';
import type { SendNotes } from './send-notes.ts';

export interface AttemptRecorderOptions {
  batches: Batches;
  rates: Pick<Rates, 'refund'>;
  notes: SendNotes;
}

/** Processes the transport result of a message: turns it into a delivery result, or requeues the message. */
export class AttemptRecorder {
  readonly #options: AttemptRecorderOptions;

  constructor(options: AttemptRecorderOptions) {
    this.#options = options;
  }

  /** @param tookMs  milliseconds until the mail server replied */
  record(batch: Batch, recipient: Recipient, handover: Handover, tookMs: number): void {
    const { send, lane } = batch;
    send.health.rejections.end();
    const { refusals = 0 } = recipient;
    const { isRequeued, backOff, isRefused } = lane.end(handover.result, tookMs, refusals);
    if (isRequeued) this.#options.rates.refund(send, lane.group);
    if (backOff !== undefined) this.#holdBack(batch, backOff);
    const attempted = isRefused === true ? { ...recipient, refusals: refusals + 1 } : recipient;
    this.#finish(batch, attempted, handover, isRequeued);
  }

  /** Frees what a started message holds, if it is not handed over after all. */
  cancel({ send, lane }: Batch): void {
    send.health.rejections.end();
    lane.cancel();
    this.#options.rates.refund(send, lane.group);
  }

  #finish(batch: Batch, recipient: Recipient, { result, settle }: Handover, isRequeued: boolean): void {
    const { batches, notes } = this.#options;
    const { send, lane } = batch;
    const now = processNow();
    if (isRequeued || result.outcome === 'interrupted') settle();
    if (isRequeued || result.outcome === 'not_sent' || result.outcome === 'withdrawn') {
      batch.requeue(recipient);
    } else if (result.outcome === 'interrupted' && recipient.tries.interruptions === 0 && !batch.isClosed) {
      // A server may close a connection for its own reasons: after the first loss, the message is retried at once.
      batch.requeue({ ...recipient, tries: countTry(recipient.tries, result.outcome, now) });
    } else {
      if (result.outcome === 'accepted') notes.goOn(send, lane);
      const stored = toDeliveryResult(result, recipient, send, now, Math.random());
      batch.finish({ result: stored, bounce: toBounce(stored, recipient, send), settle });
      // What was in flight when the send stopped is no evidence against it after it was resumed.
      const reasonToPause = batch.isStopping ? undefined : send.health.record(result);
      if (reasonToPause === undefined) return;
      for (const other of batches.of(send)) other.isStopping = true;
      void notes.pause(batch, reasonToPause);
    }
  }

  /** Gives back the messages of a waiting lane, so that they do not use up the in-flight limit. */
  #holdBack({ send, lane }: Batch, { reason, isOfLane }: BackOff): void {
    const { batches, notes } = this.#options;
    const held = isOfLane ? [...batches].filter((batch) => batch.lane === lane) : [];
    for (const batch of held) batch.isStopping = true;
    notes.backOff(new Set([send, ...held.map((batch) => batch.send)]), lane, reason, isOfLane);
  }
}
