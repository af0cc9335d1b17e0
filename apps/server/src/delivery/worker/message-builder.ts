import { sendError, toStorable } from '@reachout/contract/rules/send-errors.ts';
import { RenderError } from '../../email/liquid/render-error.ts';
import {
  type OutgoingMessage,
  PreparationError,
  type PrepareMessage,
} from '../../email/transports/transport.ts';
import { callAt } from '../../platform/call-at.ts';
import type { Log } from '../../platform/log.ts';
import type { Recipient } from '../../queue/delivery.ts';
import { type ActiveSend, buildMessage } from './active-send.ts';
import type { Batch } from './batch.ts';
import type { Batches } from './batches.ts';
import { withoutAttempt } from './finished-message.ts';
import type { SendNotes } from './send-notes.ts';

/** A message in preparation holds a place of its transport, which others may need. */
const preparationLimitMs = 5_000;

export interface MessageBuilderOptions {
  log: Log;
  batches: Batches;
  notes: SendNotes;
  /** Called when the pause after a slow build ends. */
  onFree: () => void;
}

/** Builds and prepares the message of a recipient. A message that cannot be built fails, and many in a row pause the send. */
export class MessageBuilder {
  readonly #options: MessageBuilderOptions;
  readonly #slowBuilds: SlowBuilds;

  constructor(options: MessageBuilderOptions) {
    this.#options = options;
    this.#slowBuilds = new SlowBuilds(options.onFree);
  }

  /** Whether the send is held back, because its messages take long to build and others come first. */
  holdsBack(send: ActiveSend): boolean {
    return this.#slowBuilds.holdsBack(send);
  }

  /** @returns undefined if there is nothing to hand over: the recipient is suppressed, or the message failed */
  build(batch: Batch, recipient: Recipient): OutgoingMessage | undefined {
    const { send } = batch;
    if (batch.isSuppressed(recipient)) {
      batch.finish(withoutAttempt(recipient, 'suppressed'));
      return undefined;
    }
    const started = this.#slowBuilds.start(send);
    try {
      const message = buildMessage(send, recipient);
      if (send.prepare === undefined) send.health.recordBuilt();
      return message;
    } catch (error) {
      this.#fail(batch, recipient, error);
      return undefined;
    } finally {
      if (this.#slowBuilds.end(send, started))
        for (const excess of this.#options.batches.places.beyondSlowBuilds()) excess.isStopping = true;
    }
  }

  /** @returns undefined if the message failed, or waits because the send pauses */
  async prepare(
    batch: Batch,
    recipient: Recipient,
    message: OutgoingMessage,
    prepare: PrepareMessage,
  ): Promise<OutgoingMessage | undefined> {
    try {
      const prepared = await within(preparationLimitMs, prepare(message));
      batch.send.health.recordBuilt();
      return prepared;
    } catch (error) {
      // Nobody would resume a test.
      if (error instanceof PreparationError && !batch.send.isTest) this.#hold(batch, recipient, error);
      else this.#fail(batch, recipient, error);
      return undefined;
    }
  }

  /** Pauses the send, so that the message is given back as if it had not been started. */
  #hold(batch: Batch, recipient: Recipient, error: PreparationError): void {
    const { log, batches, notes } = this.#options;
    const { send } = batch;
    if (!send.isPausing) log.error({ err: error, send: send.ref.sendId }, 'messages cannot be prepared');
    for (const other of batches.of(send)) other.isStopping = true;
    void notes.pause(batch, error.sendError);
    batch.requeue(recipient);
  }

  #fail(batch: Batch, recipient: Recipient, error: unknown): void {
    const { log, notes } = this.#options;
    const { send } = batch;
    // An unexpected error is only logged, because its text may contain internal details.
    const isForUsers = error instanceof RenderError || error instanceof PreparationError;
    const reason = isForUsers ? toStorable(error.sendError) : sendError('not_built');
    if (!(error instanceof RenderError))
      log.error({ err: error, send: send.ref.sendId }, 'message could not be built');
    batch.finish(withoutAttempt(recipient, 'failed', reason));
    // Each single message has its own data, and errors in it must not stop other messages.
    const reasonToPause = send.isSingle ? undefined : send.health.recordBuildFailure();
    if (reasonToPause !== undefined) void notes.pause(batch, reasonToPause);
  }
}

/** Waits twice for half of the limit: after a standstill of the whole process, what is ready has time to be noticed. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const giveUp = () => late.reject(new Error(`no result after ${limitMs} ms`));
  let limit = setTimeout(() => (limit = setTimeout(giveUp, limitMs / 2)), limitMs / 2);
  return await Promise.race([work, late.promise]).finally(() => clearTimeout(limit));
}

/**
 * Milliseconds of CPU time, because on a busy machine even a quick message takes long by the clock. A message normally takes
 * 0.1 ms; with some templates it takes up to 500 ms, during which the worker does nothing else.
 */
const slowBuildMs = 50;
/** Sends with such templates together get one part in this many of the worker's time, all others the rest. */
const slowShare = 5;
/** After this many quick messages, a slow send counts as normal again. */
const quickBuildsToTrust = 100;

/** A template has three times 500 ms. Longer times, of a suspended process or machine, do not extend the pause. */
const longestBuildMs = 2_000;

/** When the build of a message began; `cpu` is only set if CPU time is measured. */
interface BuildStart {
  at: number;
  cpu: NodeJS.CpuUsage | undefined;
}

/** Builds slow messages less often, so that one template does not hold up all other sends. */
export class SlowBuilds {
  readonly #onEnd: () => void;
  #until = 0;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  holdsBack({ slowness }: ActiveSend): boolean {
    return slowness > 0 && performance.now() < this.#until;
  }

  /**
   * Call before a message is built. Measuring CPU time costs a tenth of a build, so it is only done for sends that took long
   * by the clock.
   * @returns the argument of `end`
   */
  start({ buildsToMeasure }: ActiveSend): BuildStart {
    return { at: performance.now(), cpu: buildsToMeasure > 0 ? process.threadCpuUsage() : undefined };
  }

  /** @returns whether the build took much CPU time */
  end(send: ActiveSend, { at, cpu }: BuildStart): boolean {
    const tookMs = performance.now() - at;
    if (cpu === undefined) {
      // The machine may have been busy: only measured CPU time makes a send slow.
      if (tookMs >= slowBuildMs) send.buildsToMeasure = quickBuildsToTrust;
      return false;
    }
    const { user, system } = process.threadCpuUsage(cpu);
    if ((user + system) / 1_000 < slowBuildMs) {
      send.buildsToMeasure -= 1;
      if (send.slowness > 0) send.slowness -= 1;
      return false;
    }
    send.buildsToMeasure = quickBuildsToTrust;
    send.slowness = quickBuildsToTrust;
    // By the clock, because all other sends waited that long, however little of it was CPU time.
    const pauseMs = Math.min(tookMs, longestBuildMs) * (slowShare - 1);
    this.#until = performance.now() + pauseMs;
    callAt(this.#until, this.#onEnd);
    return true;
  }
}
