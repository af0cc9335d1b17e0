import {
  describeSendError,
  sendError,
  toStorable,
  type SendError,
} from '@reachout/contract/rules/send-errors.ts';
import type { Handover, MailTransport } from '../../email/transports/transport.ts';
import { RenderError } from '../../email/liquid/render-error.ts';
import type { Log } from '../../platform/log.ts';
import { createRepeatedLines } from '../../platform/repeated-lines.ts';
import { countTry, toDeliveryResult, type DeliveryResult, type Recipient } from '../queue/delivery.ts';
import { buildMessage, type ActiveSend } from './active-send.ts';
import type { Batch } from './batch.ts';
import type { Batches } from './batches.ts';
import { toBounce } from './bounce.ts';
import type { LaneTrouble } from './lane.ts';
import type { Lanes } from './lanes.ts';
import type { RateBucket } from './rate-bucket.ts';
import type { Rates } from './rates.ts';
import { SlowBuilds } from './slow-builds.ts';

/** No message is built while so much waits for the mail server: a newsletter has 10 kB to 100 kB, a message at most 10 MB. */
const bytesUnderWayLimit = 16_000_000;
const limitNoteMs = 1_000;
/** A batch that waits longer for a rate is given back. */
const shortWaitMs = 1_000;

export interface DispatcherOptions {
  transport: MailTransport;
  log: Log;
  batches: Batches;
  lanes: Lanes;
  rates: Rates;
  /** A result came, or a wait is over: more may start, and results may be due to be stored. */
  onProgress: () => void;
  /** The send cannot go on without a person. */
  onTrouble: (batch: Batch, reason: SendError) => void;
  /** Nothing starts for a while. */
  onAway: (send: ActiveSend, reason: SendError) => void;
  /** The mail server takes messages of a send that said otherwise. */
  onBack: (send: ActiveSend) => void;
}

/** Builds the messages that may leave, hands them to the transport, and notes what became of each. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  #freeCapacity: number;
  #bytesUnderWay = 0;
  readonly #slowBuilds: SlowBuilds;
  readonly #writeOnce = createRepeatedLines();

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#freeCapacity = options.transport.capacity;
    this.#slowBuilds = new SlowBuilds(options.onProgress);
  }

  /**
   * Starts messages while the transport, their lane and the memory have room, one of each batch round robin. Single
   * messages come first: their share of the in-flight limit leaves the transport to the others.
   */
  start(): void {
    this.#options.lanes.update(this.#options.batches);
    let hasStarted = true;
    while (this.#hasRoom() && hasStarted) {
      hasStarted = false;
      for (const batch of this.#options.batches.singlesFirst()) {
        if (!this.#hasRoom()) break;
        if (!batch.lane.canStart || this.#slowBuilds.holdsBack(batch.send)) continue;
        if (!this.#isAllowed(batch)) continue;
        const recipient = batch.start();
        if (recipient === undefined) continue;
        hasStarted = true;
        this.#send(batch, recipient);
      }
    }
  }

  /** Asked only for a batch that has messages to start: what is leased for it is not given back. */
  #isAllowed(batch: Batch): boolean {
    if (!batch.isOpen || batch.isStarved) return true;
    const { batches, rates } = this.#options;
    const reached = rates.findReached(batch.send, batch.lane.group);
    if (reached === undefined) return true;
    // Short waits are not worth a new lease, unless other sends wait for the place.
    const shortMs = batches.isCrowded ? 0 : shortWaitMs;
    batch.isDraining = rates.waitMs(batch.send, batch.lane.group) > shortMs;
    this.#noteLimit(batch.send, reached);
    return false;
  }

  /** Once a second: what the send said before may be cleared by messages of its other lanes. */
  #noteLimit(send: ActiveSend, limit: RateBucket): void {
    if (send.limitNote !== undefined) return;
    const { log, onAway } = this.#options;
    const note = () => {
      send.limitNote = undefined;
      const { error, waitMs } = limit;
      if (waitMs === 0 || error === undefined) return;
      onAway(send, error);
      const reason = describeSendError(error);
      this.#writeOnce(reason, (repeated) => log.info({ reason, repeated }, 'a rate is reached'));
    };
    send.limitNote = setTimeout(note, limitNoteMs).unref();
  }

  #hasRoom(): boolean {
    return this.#freeCapacity > 0 && this.#bytesUnderWay < bytesUnderWayLimit;
  }

  #send(batch: Batch, recipient: Recipient): void {
    if (recipient.is_suppressed || batch.suppressed.has(recipient.address.toLowerCase())) {
      batch.finish(withoutAttempt(recipient, { kind: 'final', state: 'suppressed', suppress: false }));
      return;
    }
    const message = this.#build(batch, recipient);
    if (message === undefined) return;
    const { length } = message.message;
    this.#freeCapacity -= 1;
    this.#bytesUnderWay += length;
    batch.lane.start();
    this.#options.rates.take(batch.send, batch.lane.group);
    const startedAt = performance.now();
    const end = (handover: Handover) => {
      this.#freeCapacity += 1;
      this.#bytesUnderWay -= length;
      const { isRequeued, trouble } = batch.lane.end(handover.result, performance.now() - startedAt);
      if (isRequeued) this.#options.rates.refund(batch.send, batch.lane.group);
      this.#take(batch, recipient, handover, isRequeued);
      if (trouble !== undefined) this.#holdBack(batch, trouble);
      this.#options.onProgress();
    };
    // Transports never reject (MailTransport); a defect in one must still not lose the message.
    this.#options.transport
      .send({ ...message, mayLeave: () => !batch.isStopping })
      .then(end, (error: unknown) =>
        end({ result: { outcome: 'uncertain', reason: String(error) }, settle: () => undefined }),
      );
  }

  #build(batch: Batch, recipient: Recipient) {
    const { send } = batch;
    const started = this.#slowBuilds.start(send);
    try {
      const message = buildMessage(send, recipient);
      send.health.recordBuilt();
      return message;
    } catch (error) {
      // Only the log gets an unexpected error: its text may contain internal details.
      const reason = error instanceof RenderError ? toStorable(error.sendError) : sendError('not_built');
      if (!(error instanceof RenderError))
        this.#options.log.error({ err: error, send: send.ref.sendId }, 'message could not be built');
      batch.finish(withoutAttempt(recipient, { kind: 'final', state: 'failed', suppress: false }, reason));
      // Each single message brings its own data, whose faults are no reason to refuse those of others.
      if (!send.isSingle) this.#troubleOf(batch, send.health.recordBuildFailure());
      return undefined;
    } finally {
      if (this.#slowBuilds.end(send, started))
        for (const excess of this.#options.batches.places.beyondSlowBuilds()) excess.isStopping = true;
    }
  }

  #take(batch: Batch, recipient: Recipient, { result, settle }: Handover, isRequeued: boolean): void {
    const now = new Date();
    if (isRequeued || result.outcome === 'interrupted') settle();
    if (isRequeued || result.outcome === 'not_sent' || result.outcome === 'withdrawn') {
      batch.requeue(recipient);
    } else if (result.outcome === 'interrupted' && recipient.tries.interruptions === 0) {
      // A server may close a connection for reasons of its own: the first time, the message goes again at once.
      batch.requeue({ ...recipient, tries: countTry(recipient.tries, result.outcome, now) });
    } else {
      if (result.outcome === 'accepted') this.#recordAccepted(batch);
      const stored = toDeliveryResult(result, recipient, batch.send, now, Math.random());
      batch.finish({ result: stored, bounce: toBounce(stored, recipient, batch.send), settle });
      this.#troubleOf(batch, batch.send.health.record(result));
    }
  }

  #recordAccepted({ send, lane }: Batch): void {
    if (send.troubledLane !== lane) return;
    send.troubledLane = undefined;
    this.#options.onBack(send);
  }

  /** The messages of a lane that waits are given back, so that they take nothing of the in-flight limit. */
  #holdBack({ send, lane }: Batch, { reason, isOfLane }: LaneTrouble): void {
    const { batches, log, onAway } = this.#options;
    const held = isOfLane ? [...batches].filter((batch) => batch.lane === lane) : [];
    for (const batch of held) batch.isStopping = true;
    this.#writeOnce(`${lane.group} ${isOfLane}`, (repeated) =>
      log.warn(
        {
          lane: lane.group,
          waitMs: Math.round(lane.waitMs),
          reason: describeSendError(reason),
          repeated,
        },
        'mail is held back',
      ),
    );
    for (const troubled of new Set([send, ...held.map((batch) => batch.send)])) {
      troubled.troubledLane = lane;
      onAway(troubled, reason);
    }
  }

  #troubleOf(batch: Batch, reason: SendError | undefined): void {
    if (reason !== undefined) this.#options.onTrouble(batch, reason);
  }
}

/** What became of a message that needed no mail server. */
function withoutAttempt(recipient: Recipient, result: DeliveryResult['result'], error?: SendError) {
  const now = new Date();
  const tries = countTry(recipient.tries, undefined, now);
  const stored: DeliveryResult = {
    seq: recipient.seq,
    tries,
    reply: null,
    ...(error === undefined ? {} : { error }),
    at: now.toISOString(),
    result,
  };
  return { result: stored, bounce: undefined, settle: () => undefined };
}
