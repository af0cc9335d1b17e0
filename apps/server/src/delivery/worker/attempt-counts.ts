import type { BounceClass } from '../../email/rejections/rejection.ts';
import type { TransportResult } from '../../email/transports/transport.ts';
import type { Sample } from '../../platform/metrics/metric.ts';

type Outcome = Exclude<TransportResult['outcome'], 'rejected'>;

/** Counts the transport results of messages by outcome, since the worker started. */
export class AttemptCounts {
  readonly #outcomes: Record<Outcome, number> = {
    accepted: 0,
    not_sent: 0,
    withdrawn: 0,
    interrupted: 0,
    uncertain: 0,
  };
  readonly #rejected: Record<BounceClass, number> = {
    address_hard: 0,
    address_likely: 0,
    domain_hard: 0,
    routing_soft: 0,
    mailbox_full: 0,
    transient: 0,
    expired: 0,
    reputation: 0,
    authentication: 0,
    content: 0,
    too_big: 0,
    protocol: 0,
    unknown: 0,
  };

  record(result: TransportResult): void {
    if (result.outcome === 'rejected') this.#rejected[result.class] += 1;
    else this.#outcomes[result.outcome] += 1;
  }

  toSamples(labels: { transport: string; lane: string }): Sample[] {
    const rejected = Object.entries(this.#rejected);
    return [
      ...Object.entries(this.#outcomes).map(([outcome, value]) => ({
        labels: { ...labels, outcome },
        value,
      })),
      ...rejected.map(([reason, value]) => ({
        labels: { ...labels, outcome: 'rejected', class: reason },
        value,
      })),
    ];
  }
}
