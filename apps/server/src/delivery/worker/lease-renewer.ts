import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import type { Log } from '../../platform/log.ts';
import { renewChunk } from '../../queue/held-chunk.queries.ts';
import { renewQueued } from '../../queue/recover-queued.queries.ts';
import { skipSuppressed } from './batch-committer.ts';
import type { Batch } from './batch.ts';
import type { Batches } from './batches.ts';

/** Leases expire after 120 s (send-statements.ts), and the reply to one message may take 600 s. */
const defaultRenewMs = 30_000;

export interface LeaseRenewerOptions {
  pipelined: PipelinedDatabase;
  log: Log;
  batches: Batches;
  /** Approximate time between two renewals of a lease; default 30,000. */
  renewMs?: number | undefined;
}

/** Renews the leases of the worker. */
export class LeaseRenewer {
  readonly #options: LeaseRenewerOptions;
  readonly #renewMs: number;
  /** Worker id for leases; undefined while the worker has no heartbeat. */
  workerId: number | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(options: LeaseRenewerOptions) {
    this.#options = options;
    this.#renewMs = options.renewMs ?? defaultRenewMs;
    this.#timer = setInterval(() => this.#renewAll(), this.#renewMs / 10);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /**
   * Moves the leases to a new worker id. The old heartbeat connection was lost, so other workers could take them over.
   * Chunks are kept by their token, unless another worker was faster. Queued messages have none: no more of them start.
   */
  async changeWorkerId(id: number | undefined): Promise<void> {
    if (id === this.workerId) return;
    this.workerId = id;
    if (id === undefined) return;
    for (const batch of this.#options.batches) {
      if (batch.workerId === id) continue;
      if (batch.lease === undefined) batch.isStopping = true;
      await this.#renew(batch, id);
    }
  }

  #renewAll(): void {
    const now = performance.now();
    for (const batch of this.#options.batches) {
      if (now - batch.renewedAt < this.#renewMs || this.workerId === undefined) continue;
      batch.renewedAt = now;
      void this.#renew(batch, this.workerId);
    }
  }

  async #renew(batch: Batch, workerId: number): Promise<void> {
    const { pipelined, log } = this.#options;
    const { ref } = batch.send;
    const ids = { workerId, previousId: batch.workerId };
    try {
      if (batch.lease === undefined) await renewQueued(pipelined, ref, ids, batch.seqs());
      else await renewChunk(pipelined, ref, workerId, batch.lease);
      batch.workerId = workerId;
      // Recipients may have been suppressed during such a long wait.
      await skipSuppressed(pipelined, batch);
    } catch (error) {
      log.warn({ err: error }, 'leases could not be renewed');
    }
  }
}
