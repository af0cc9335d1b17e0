import { describeSendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import { type Database, inOrganization, type Transaction } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { createRepeatedLines } from '../../platform/repeated-lines.ts';
import { clearSendError, recordSendError } from '../../queue/send-failures.queries.ts';
import { pauseOnErrors } from '../sends/change-send.ts';
import type { ActiveSend } from './active-send.ts';
import type { Batch } from './batch.ts';
import type { Lane } from './lane.ts';
import type { RateBucket } from './rate-bucket.ts';

const limitNoteMs = 1_000;

export interface SendNotesOptions {
  db: Database;
  log: Log;
}

/** Records on a send why it does not continue, and pauses a send that needs a user to continue. */
export class SendNotes {
  readonly #options: SendNotesOptions;
  readonly #writeOnce = createRepeatedLines();
  #isClosed = false;

  constructor(options: SendNotesOptions) {
    this.#options = options;
  }

  /** Called when the worker has stopped: another one may have newer information. */
  close(): void {
    this.#isClosed = true;
  }

  /** @param lane  nothing of it starts for a while @param isAlone  whether other lanes continue */
  backOff(sends: Iterable<ActiveSend>, lane: Lane, error: SendError, isAlone: boolean): void {
    const { log } = this.#options;
    const reason = describeSendError(error);
    this.#writeOnce(`${lane.group} ${isAlone}`, (repeated) =>
      log.warn({ lane: lane.group, waitMs: Math.round(lane.waitMs), reason, repeated }, 'mail is held back'),
    );
    for (const send of sends) {
      send.backedOffLane = lane;
      this.#write(send, (trx) => recordSendError(trx, send.ref.sendId, error));
    }
  }

  /** Clears the error when the mail server accepts messages of this lane again. */
  goOn(send: ActiveSend, lane: Lane): void {
    if (send.backedOffLane !== lane) return;
    send.backedOffLane = undefined;
    this.#write(send, (trx) => clearSendError(trx, send.ref.sendId));
  }

  /** Records the limit once a second, because messages of other lanes may clear the error of the send. */
  reachLimit(send: ActiveSend, limit: RateBucket): void {
    if (send.limitNote !== undefined) return;
    const { log } = this.#options;
    const note = () => {
      send.limitNote = undefined;
      const { error, waitMs } = limit;
      if (this.#isClosed || waitMs === 0 || error === undefined) return;
      this.#write(send, (trx) => recordSendError(trx, send.ref.sendId, error));
      const reason = describeSendError(error);
      this.#writeOnce(reason, (repeated) => log.info({ reason, repeated }, 'a rate is reached'));
    };
    send.limitNote = setTimeout(note, limitNoteMs).unref();
  }

  /** Pauses a send. If that fails, for example because a user has locked the campaign, its next failure tries again. */
  async pause(batch: Batch, reason: SendError, options: { isCounted?: boolean } = {}): Promise<void> {
    batch.isStopping = true;
    const { send } = batch;
    if (send.isPausing) return;
    send.isPausing = true;
    const { db, log } = this.#options;
    const { organizationId, sendId } = send.ref;
    try {
      await inOrganization(db, organizationId, (trx) => {
        // Read within the transaction: waiting for a connection must not move the first bounce out of the time.
        const { doubtfulMs } = send.health.rejections;
        return pauseOnErrors(trx, sendId, reason, { ...options, doubtfulMs });
      });
      send.health.reset();
    } catch (error) {
      log.error({ err: error, send: sendId }, 'send could not be paused');
    } finally {
      send.isPausing = false;
      send.isOutdated = true;
    }
  }

  /** Only for display: a lost note has no other effect. */
  #write({ ref }: ActiveSend, write: (trx: Transaction) => Promise<void>): void {
    inOrganization(this.#options.db, ref.organizationId, write).catch(() => undefined);
  }
}
