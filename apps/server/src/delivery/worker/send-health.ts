import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import type { TransportResult } from '../../email/transports/transport.ts';
import { isSenderRejection } from '../queue/delivery.ts';
import { RecentOutages } from './recent-outages.ts';

/** This many in a row pause the send. */
const rejectionsToPause = 20;
const buildFailuresToPause = 50;

/** Watches the results of one send, and reports when it needs a user to continue. */
export class SendHealth {
  #senderRejections = 0;
  #buildFailures = 0;
  readonly #outages = new RecentOutages();

  /** @returns the reason to pause */
  record(result: TransportResult): SendError | undefined {
    // The mail server did not get the message, which says nothing about the send.
    if (['not_sent', 'withdrawn', 'interrupted'].includes(result.outcome)) return undefined;
    this.#senderRejections = isSenderRejection(result) ? this.#senderRejections + 1 : 0;
    if (result.outcome === 'accepted') this.#outages.recordAccepted();
    if (result.outcome === 'rejected' && this.#senderRejections >= rejectionsToPause)
      return sendError('sender_rejected', { reply: `${result.code} ${result.text}` });
    if (result.outcome === 'uncertain' && this.#outages.recordUncertain(result.outage))
      return sendError('often_unconfirmed', { detail: result.reason });
    return undefined;
  }

  /** @returns the reason to pause */
  recordBuildFailure(): SendError | undefined {
    this.#buildFailures += 1;
    return this.#buildFailures < buildFailuresToPause
      ? undefined
      : sendError('often_not_built', { count: this.#buildFailures });
  }

  recordBuilt(): void {
    this.#buildFailures = 0;
  }

  /** Resets all counters once the send is paused. */
  reset(): void {
    this.#senderRejections = 0;
    this.#buildFailures = 0;
    this.#outages.reset();
  }
}
