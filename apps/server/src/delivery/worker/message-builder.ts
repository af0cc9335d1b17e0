import { sendError, toStorable } from '@reachout/contract/rules/send-errors.ts';
import { RenderError } from '../../email/liquid/render-error.ts';
import {
  PreparationError,
  type OutgoingMessage,
  type PrepareMessage,
} from '../../email/transports/transport.ts';
import type { Log } from '../../platform/log.ts';
import type { Recipient } from '../../queue/delivery.ts';
import { buildMessage, type ActiveSend } from './active-send.ts';
import type { Batch } from './batch.ts';
import type { Batches } from './batches.ts';
import { withoutAttempt } from './finished-message.ts';
import type { SendNotes } from './send-notes.ts';
import { SlowBuilds } from './slow-builds.ts';

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
