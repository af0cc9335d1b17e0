import type { Metric } from '../../platform/metrics/metric.ts';
import { collectSendMetrics } from './send-metrics.ts';
import {
  createDelivery,
  createFinder,
  createLimits,
  type PartEvents,
  type SendWorkerOptions,
} from './send-worker-parts.ts';

/**
 * Sends the due messages of all organizations, round robin. Every message is marked in a committed transaction before it
 * may be sent, and its result is stored right after; at most `inFlightLimit` messages are between the two.
 * @see docs/sending.md for a diagram of the parts
 */
export class SendWorker {
  readonly #limits: ReturnType<typeof createLimits>;
  readonly #work: ReturnType<typeof createFinder>;
  readonly #delivery: ReturnType<typeof createDelivery>;
  readonly collectMetrics: () => Metric[];
  #isStopping = false;
  #onIdle: () => void = () => undefined;

  constructor(options: SendWorkerOptions) {
    const events: PartEvents = {
      onProgress: () => this.#advance(),
      onFree: () => {
        this.wake();
        this.#advance();
      },
      onIdle: () => this.#checkIdle(),
    };
    this.#limits = createLimits(options, events);
    this.#work = createFinder(options, this.#limits, events);
    const { finder } = this.#work;
    this.#delivery = createDelivery(options, this.#limits, finder, events);
    const { committer } = this.#delivery;
    this.collectMetrics = () => collectSendMetrics({ ...this.#limits, committer, lists: finder.lists });
    this.wake();
  }

  /** `Date.now()` of the last successful look for work. */
  get lastLookAt(): number | undefined {
    return this.#work.finder.lists.lastLookAt;
  }

  /** Whether it holds batches or is preparing a send. */
  get isSending(): boolean {
    return this.#limits.batches.size > 0 || this.#work.preparations.size > 0;
  }

  /** Number of results that it has stored. */
  get resultCount(): number {
    return this.#delivery.committer.results;
  }

  /** Looks for work now. */
  wake(): void {
    this.#work.finder.wake();
  }

  /** Starts nothing more, stores the results of messages in progress, and gives the rest back. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#work.recoveries.stop();
    this.#work.finder.stop();
    const idle = new Promise<void>((resolve) => (this.#onIdle = resolve));
    this.#advance();
    this.#delivery.store.storeAll();
    this.#checkIdle();
    await idle;
    this.#delivery.store.close();
    this.#delivery.notes.close();
    this.#work.renewer.close();
    await this.#limits.rates.close();
    await this.#limits.transports.close();
  }

  #advance(): void {
    if (this.#isStopping) for (const batch of this.#limits.batches) batch.isStopping = true;
    this.#delivery.dispatcher.start();
    this.#delivery.store.storeDue();
  }

  #checkIdle(): void {
    const { finder, preparations } = this.#work;
    const isBusy = this.#limits.batches.size > 0 || finder.isRunning || preparations.size > 0;
    if (this.#isStopping && !isBusy) this.#onIdle();
  }
}
