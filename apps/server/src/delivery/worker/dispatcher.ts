import type {
  Handover,
  OutgoingMessage,
  PrepareMessage,
  TransportResult,
} from '../../email/transports/transport.ts';
import { processNow } from '../../platform/process-clock.ts';
import { countTry, maxUncertain, type Recipient, toDeliveryResult } from '../../queue/delivery.ts';
import type { ActiveSend } from './active-send.ts';
import type { Batch } from './batch.ts';
import type { Batches } from './batches.ts';
import { toBounce } from './finished-message.ts';
import type { BackOff } from './lane.ts';
import type { MessageBuilder } from './message-builder.ts';
import type { OpenTransport, OpenTransports } from './open-transports.ts';
import type { Rates } from './rates.ts';
import type { SendNotes } from './send-notes.ts';

/** No message is built while this much waits for the mail server: newsletters have 10 kB to 100 kB, messages up to 10 MB. */
const bytesUnderWayLimit = 16_000_000;

export interface DispatcherOptions {
  transports: OpenTransports;
  batches: Batches;
  rates: Rates;
  builder: MessageBuilder;
  recorder: AttemptRecorder;
  notes: SendNotes;
  /** Called after each result: more messages may start, and results may have to be stored. */
  onProgress: () => void;
}

/** Starts the messages that may be sent: has each one built, and hands it to the transport of its send. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  #bytesUnderWay = 0;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /**
   * Starts messages while their transport, their lane and the memory have capacity, one per batch in round robin. Single
   * messages come first; their share of the in-flight limit is small enough to leave the transport to the others.
   */
  start(): void {
    const { batches, transports, builder } = this.#options;
    transports.updateLanes(batches);
    let hasStarted = true;
    while (this.#hasRoom() && hasStarted) {
      hasStarted = false;
      for (const batch of batches.singlesFirst()) {
        if (!this.#hasRoom()) break;
        if (!this.#takesMore(batch.send.transport) || !batch.lane.canStart) continue;
        if (!batch.send.health.rejections.hasRoom) continue;
        if (builder.holdsBack(batch.send)) continue;
        if (!this.#isAllowed(batch)) continue;
        const recipient = batch.start();
        if (recipient === undefined) continue;
        hasStarted = true;
        this.#send(batch, recipient);
      }
    }
  }

  #hasRoom(): boolean {
    return this.#bytesUnderWay < bytesUnderWayLimit && this.#options.transports.hasCapacity;
  }

  /** A transport whose replies are slow holds no more than its part of the memory. */
  #takesMore(open: OpenTransport): boolean {
    if (open.freeCapacity <= 0) return false;
    return open.bytesUnderWay < this.#options.transports.shareOf(open, bytesUnderWayLimit);
  }

  /** Checks the rate limits, but only for a batch with messages to start, because a leased slice is not returned. */
  #isAllowed(batch: Batch): boolean {
    if (!batch.isOpen || batch.isStarved) return true;
    const { batches, rates, notes } = this.#options;
    const reached = rates.findReached(batch.send, batch.lane.group);
    if (reached === undefined) return true;
    batch.isDraining = rates.isHeldUp(batch.send, batch.lane.group, batches.isCrowded);
    notes.reachLimit(batch.send, reached);
    return false;
  }

  /**
   * Holds the place of the message while it is prepared. The slot of its transport, which limits what may become uncertain, is
   * only taken for the prepared message. Without a preparation, nothing waits.
   */
  #send(batch: Batch, recipient: Recipient): void {
    const { rates, builder, onProgress } = this.#options;
    const { send, lane } = batch;
    const message = builder.build(batch, recipient);
    if (message === undefined) return;
    const { length } = message.message;
    send.transport.freeCapacity -= 1;
    send.transport.bytesUnderWay += length;
    this.#bytesUnderWay += length;
    lane.start();
    send.health.rejections.start();
    rates.take(send, lane.group);
    const end = () => {
      send.transport.freeCapacity += 1;
      send.transport.bytesUnderWay -= length;
      this.#bytesUnderWay -= length;
      onProgress();
    };
    if (send.prepare === undefined) return this.#handOver(batch, recipient, message, end);
    void this.#prepare(batch, recipient, message, send.prepare, end);
  }

  async #prepare(
    batch: Batch,
    recipient: Recipient,
    message: OutgoingMessage,
    prepare: PrepareMessage,
    onEnd: () => void,
  ): Promise<void> {
    const { builder, recorder } = this.#options;
    const prepared = await builder.prepare(batch, recipient, message, prepare);
    if (prepared !== undefined) return this.#handOver(batch, recipient, prepared, onEnd);
    recorder.cancel(batch);
    onEnd();
  }

  #handOver(batch: Batch, recipient: Recipient, message: OutgoingMessage, onEnd: () => void): void {
    const startedAt = performance.now();
    const end = (handover: Handover) => {
      this.#options.recorder.record(batch, recipient, handover, performance.now() - startedAt);
      onEnd();
    };
    const repeat = repeatOf(batch.send, recipient);
    // Another transport than the one that may have it: it can be asked there alone.
    if (repeat?.mayRepeat === false && batch.send.evidenceMs === undefined) {
      const reason = 'Nothing was sent: an earlier transport may have taken the message.';
      end({ result: { outcome: 'uncertain', reason, isUnsent: true }, settle: () => undefined });
      return;
    }
    // Transports never reject (MailTransport); a defect in one must still not lose the message.
    batch.send.transport.transport
      .send({
        ...message,
        leavesAlone: recipient.tries.interruptions > 0,
        repeat,
        mayLeave: () => !batch.isStopping && !batch.isSuppressed(recipient),
      })
      .then(end, (error: unknown) =>
        end({ result: { outcome: 'uncertain', reason: String(error) }, settle: () => undefined }),
      );
  }
}

/** Undefined for a first attempt. After two, a person has decided that a message is sent again. */
const repeatOf = ({ uncertainPolicy }: ActiveSend, { tries }: Recipient): OutgoingMessage['repeat'] =>
  tries.uncertain === 0
    ? undefined
    : {
        mayRepeat: uncertainPolicy === 'retry' || tries.uncertain >= maxUncertain,
        since: new Date(tries.first_attempt_at ?? 0),
      };

/** A message that was not sent this often, while others were accepted in between, may be the cause itself. */
const notSentToCount = 5;

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
    if (handover.result.outcome === 'accepted') send.transport.accepted += 1;
    const attempted = isRefused === true ? { ...recipient, refusals: refusals + 1 } : recipient;
    if (handover.result.outcome === 'not_sent' && send.transport.isOwn)
      return this.#notSent(batch, attempted, handover, handover.result.reason);
    this.#finish(batch, attempted, handover, isRequeued);
  }

  /**
   * Of a transport of an organization, whose provider may refuse one message in the words in which it refuses a key: while it takes
   * others, this one counts attempts, so that it does not hold them up for ever.
   */
  #notSent(batch: Batch, recipient: Recipient, { settle }: Handover, reason: string): void {
    const { accepted } = batch.send.transport;
    const { refusals = 0, acceptedBefore = accepted } = recipient;
    const counted = accepted > acceptedBefore ? refusals + 1 : refusals;
    const next = { ...recipient, refusals: counted, acceptedBefore: accepted };
    const result: TransportResult =
      counted < notSentToCount
        ? { outcome: 'not_sent', reason }
        : {
            outcome: 'rejected',
            permanent: false,
            code: 451,
            enhanced: null,
            text: reason,
            stage: 'message',
            class: 'transient',
          };
    this.#finish(batch, next, { result, settle }, counted < notSentToCount);
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
