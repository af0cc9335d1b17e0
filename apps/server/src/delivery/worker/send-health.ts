import { sendError, type SendError } from '@reachout/contract/rules/send-errors.ts';
import type { TransportResult } from '../../email/transports/transport.ts';
import { RecentOutages } from './recent-outages.ts';
import { RejectionWatch } from './rejection-watch.ts';

const buildFailuresToPause = 50;

/** Watches the results of one send, and reports when it needs a user to continue. */
export class SendHealth {
  readonly rejections = new RejectionWatch();
  #buildFailures = 0;
  readonly #outages = new RecentOutages();

  /** @returns the reason to pause */
  record(result: TransportResult): SendError | undefined {
    // The mail server did not get the message, which says nothing about the send.
    if (['not_sent', 'withdrawn', 'interrupted'].includes(result.outcome)) return undefined;
    if (result.outcome === 'accepted') this.#outages.recordAccepted();
    const rejected = this.rejections.record(result);
    if (rejected !== undefined) return rejected;
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
    this.rejections.reset();
    this.#buildFailures = 0;
    this.#outages.reset();
  }
}
