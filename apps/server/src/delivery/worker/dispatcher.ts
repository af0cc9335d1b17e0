import type { Handover, OutgoingMessage, PrepareMessage } from '../../email/transports/transport.ts';
import type { Recipient } from '../../queue/delivery.ts';
import type { AttemptRecorder } from './attempt-recorder.ts';
import type { Batch } from './batch.ts';
import type { Batches } from './batches.ts';
import type { MessageBuilder } from './message-builder.ts';
import type { OpenTransports } from './open-transports.ts';
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
    for (const { lanes } of transports.all) lanes.update(batches);
    let hasStarted = true;
    while (this.#hasRoom() && hasStarted) {
      hasStarted = false;
      for (const batch of batches.singlesFirst()) {
        if (!this.#hasRoom()) break;
        if (batch.send.transport.freeCapacity <= 0 || !batch.lane.canStart) continue;
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
    this.#bytesUnderWay += length;
    lane.start();
    send.health.rejections.start();
    rates.take(send, lane.group);
    const end = () => {
      send.transport.freeCapacity += 1;
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
    // Transports never reject (MailTransport); a defect in one must still not lose the message.
    batch.send.transport.transport
      .send({
        ...message,
        leavesAlone: recipient.tries.interruptions > 0,
        mayLeave: () => !batch.isStopping && !batch.isSuppressed(recipient),
      })
      .then(end, (error: unknown) =>
        end({ result: { outcome: 'uncertain', reason: String(error) }, settle: () => undefined }),
      );
  }
}
