import type { Handover, MailTransport } from '../../email/transports/transport.ts';
import { RenderError } from '../../email/liquid/render-error.ts';
import type { Log } from '../../platform/log.ts';
import { countTry, toDeliveryResult, type DeliveryResult, type Recipient } from '../queue/delivery.ts';
import { buildMessage, type ActiveSend } from './active-send.ts';
import type { Batch } from './batch.ts';
import type { Batches } from './batches.ts';
import { toBounce } from './bounce.ts';
import { CoolDown } from './cool-down.ts';
import { SlowBuilds } from './slow-builds.ts';

/** So many lost connections in a row, whoever the recipients are, mean that the mail server is not well. */
const interruptionsToCoolDown = 10;
/** No message is built while so much waits for the mail server: a newsletter has 10 kB to 100 kB, a message at most 10 MB. */
const bytesUnderWayLimit = 16_000_000;

export interface DispatcherOptions {
  transport: MailTransport;
  log: Log;
  batches: Batches;
  /** A result came, or a wait is over: more may start, and results may be due to be stored. */
  onProgress: () => void;
  /** The send cannot go on without a person. */
  onTrouble: (batch: Batch, reason: string) => void;
  /** Nothing starts for a while. */
  onAway: (send: ActiveSend, reason: string) => void;
  /** The mail server takes messages of a send that said otherwise. */
  onBack: (send: ActiveSend) => void;
}

/** Builds the messages that may leave, hands them to the transport, and notes what became of each. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  #freeCapacity: number;
  #bytesUnderWay = 0;
  /** Messages in a row whose connection was lost. */
  #interruptions = 0;
  readonly #coolDown: CoolDown;
  readonly #slowBuilds: SlowBuilds;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#freeCapacity = options.transport.capacity;
    this.#coolDown = new CoolDown(options.onProgress);
    this.#slowBuilds = new SlowBuilds(options.onProgress);
  }

  get isCoolingDown(): boolean {
    return this.#coolDown.isActive;
  }

  /**
   * Starts messages while the transport and the memory have room, one of each batch round robin. Single messages come
   * first: their share of the in-flight limit leaves the transport to the others.
   */
  start(): void {
    if (this.#coolDown.isActive) return;
    let hasStarted = true;
    while (this.#hasRoom() && hasStarted) {
      hasStarted = false;
      for (const batch of this.#options.batches.singlesFirst()) {
        if (!this.#hasRoom()) break;
        if (this.#slowBuilds.holdsBack(batch.send)) continue;
        const recipient = batch.start();
        if (recipient === undefined) continue;
        hasStarted = true;
        this.#send(batch, recipient);
      }
    }
  }

  #hasRoom(): boolean {
    return this.#freeCapacity > 0 && this.#bytesUnderWay < bytesUnderWayLimit;
  }

  #send(batch: Batch, recipient: Recipient): void {
    if (recipient.is_suppressed || batch.suppressed.has(recipient.address.toLowerCase())) {
      batch.finish(withoutAttempt(recipient, { kind: 'final', state: 'suppressed', suppress: false }, null));
      return;
    }
    const message = this.#build(batch, recipient);
    if (message === undefined) return;
    const { length } = message.message;
    this.#freeCapacity -= 1;
    this.#bytesUnderWay += length;
    const end = (handover: Handover) => {
      this.#freeCapacity += 1;
      this.#bytesUnderWay -= length;
      this.#take(batch, recipient, handover);
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
      const reason = error instanceof RenderError ? error.message : 'The message could not be built.';
      if (!(error instanceof RenderError))
        this.#options.log.error({ err: error, send: send.ref.sendId }, 'message could not be built');
      batch.finish(withoutAttempt(recipient, { kind: 'final', state: 'failed', suppress: false }, reason));
      this.#troubleOf(batch, send.health.recordBuildFailure(reason));
      return undefined;
    } finally {
      this.#slowBuilds.end(send, started);
    }
  }

  #take(batch: Batch, recipient: Recipient, { result, settle }: Handover): void {
    const now = new Date();
    const isInterrupted = result.outcome === 'interrupted';
    this.#interruptions = isInterrupted ? this.#interruptions + 1 : 0;
    if (result.outcome === 'not_sent' || isInterrupted) settle();
    if (result.outcome === 'withdrawn') {
      batch.requeue(recipient);
    } else if (result.outcome === 'not_sent') {
      batch.requeue(recipient);
      this.#pauseFor(batch, `The mail server cannot be reached and is tried again: ${result.reason}`);
    } else if (isInterrupted && this.#interruptions >= interruptionsToCoolDown) {
      this.#interruptions = 0;
      batch.requeue(recipient);
      this.#pauseFor(batch, `The mail server closes connections and is tried again: ${result.reason}`);
    } else if (isInterrupted && recipient.tries.interruptions === 0) {
      // A server may close a connection for reasons of its own: the first time, the message goes again at once.
      batch.requeue({ ...recipient, tries: countTry(recipient.tries, result.outcome, now) });
    } else {
      if (result.outcome === 'accepted') this.#recordAccepted(batch.send);
      const stored = toDeliveryResult(result, recipient, batch.send, now, Math.random());
      batch.finish({ result: stored, bounce: toBounce(stored, recipient, batch.send), settle });
      this.#troubleOf(batch, batch.send.health.record(result));
    }
  }

  #recordAccepted(send: ActiveSend): void {
    this.#coolDown.reset();
    if (!send.hasError) return;
    send.hasError = false;
    this.#options.onBack(send);
  }

  #pauseFor({ send }: Batch, reason: string): void {
    if (!this.#coolDown.begin()) return;
    send.hasError = true;
    this.#options.onAway(send, reason);
  }

  #troubleOf(batch: Batch, reason: string | undefined): void {
    if (reason !== undefined) this.#options.onTrouble(batch, reason);
  }
}

/** What became of a message that needed no mail server. */
function withoutAttempt(recipient: Recipient, result: DeliveryResult['result'], reply: string | null) {
  const now = new Date();
  const tries = countTry(recipient.tries, undefined, now);
  const stored = { seq: recipient.seq, tries, reply, at: now.toISOString(), result };
  return { result: stored, bounce: undefined, settle: () => undefined };
}
