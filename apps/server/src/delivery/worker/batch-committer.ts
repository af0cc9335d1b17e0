import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from '../../platform/database/is-database-away.ts';
import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import type { Log } from '../../platform/log.ts';
import { Durations } from '../../platform/metrics/metric.ts';
import type { WorkerHeartbeat } from '../../platform/worker-heartbeat.ts';
import { releaseQueued } from '../../queue/recover-queued.queries.ts';
import { listSuppressed } from '../../queue/list-suppressed.queries.ts';
import { storeChunk } from '../../queue/store-chunk.queries.ts';
import { storeResults } from '../../queue/store-results.queries.ts';
import { failuresToGiveUp } from '../sends/change-send.ts';
import type { Batch } from './batch.ts';
import type { Batches } from './batches.ts';
import { effectsOf, type Unstored } from './finished-message.ts';

const databaseRetryMs = 500;

export interface BatchCommitterOptions {
  pipelined: PipelinedDatabase;
  log: Log;
  heartbeat: Pick<WorkerHeartbeat, 'id'>;
  batches: Batches;
  /** Called when the database refuses the results again and again; they are kept, and tried again. */
  onRefused: (batch: Batch) => void;
  /** Called after each commit, successful or not: more messages may start. */
  onProgress: () => void;
  /** Called after a successful commit that does not end the batch: its send may lease more. */
  onStored: (batch: Batch) => void;
  /** Called when all results of the batch are stored and the rest is given back. */
  onEnd: (batch: Batch) => void;
}

/** Commits results of a batch and its next mark in one transaction, one at a time per batch, and ends finished batches. */
export class BatchCommitter {
  readonly #options: BatchCommitterOptions;
  /** Durations of commits. */
  readonly durations = new Durations();
  /** Number of failed commits. */
  failures = 0;
  /** Number of stored results. */
  results = 0;

  constructor(options: BatchCommitterOptions) {
    this.#options = options;
  }

  commit(batch: Batch): void {
    if (batch.isStoring || batch.isEnding || !this.#options.batches.has(batch)) return;
    batch.isStoring = true;
    void this.#run(batch);
  }

  async #run(batch: Batch): Promise<void> {
    const { heartbeat, batches, log } = this.#options;
    // Each stored result frees a slot. Without a heartbeat, other workers may take the chunk, so nothing more is marked.
    const more =
      heartbeat.id === undefined
        ? 0
        : Math.floor(batches.inFlightOf(batch.send).fairShare(batch) + batch.unstoredCount);
    const taken = batch.takeUnstored(Math.max(0, more));
    try {
      const begunAt = performance.now();
      const isStored = await this.#store(batch, taken);
      this.durations.record(performance.now() - begunAt);
      if (isStored) await this.#goOn(batch, taken);
      else {
        // Another worker holds the chunk: the next commit stores the results without it.
        batch.restoreUnstored(taken);
        batch.isLost = true;
        batch.isStopping = true;
      }
    } catch (error) {
      this.failures += 1;
      batch.restoreUnstored(taken);
      log.warn({ err: error, send: batch.send.ref.sendId }, 'results could not be stored yet');
      if (!isDatabaseAway(error)) batch.storeFailures += 1;
      if (batch.storeFailures === failuresToGiveUp) this.#options.onRefused(batch);
      await delay(databaseRetryMs);
    } finally {
      batch.isStoring = false;
      this.#options.onProgress();
    }
  }

  /** @returns false if this worker no longer holds the chunk, and nothing was stored */
  async #store(batch: Batch, { finished, progress }: Unstored): Promise<boolean> {
    const { pipelined, heartbeat, batches } = this.#options;
    const results = finished.map(({ result }) => result);
    const bounces = finished.flatMap(({ bounce }) => bounce ?? []);
    const effects = effectsOf(batch.send.ref, bounces);
    if (progress === undefined) {
      await storeResults(pipelined, batch.send.ref, results, effects);
      return true;
    }
    const stored = await storeChunk(pipelined, batch.send.ref, heartbeat.id, results, effects, {
      ...progress,
      isBehindOthers: batches.isCrowded,
    });
    if (stored?.hasNewlySuppressed === true) await skipSuppressed(pipelined, batch);
    return stored !== undefined;
  }

  async #goOn(batch: Batch, taken: Unstored): Promise<void> {
    batch.confirmStored(taken);
    batch.storeFailures = 0;
    this.results += taken.finished.length;
    const isReleased = taken.progress?.release !== undefined;
    const isOver = taken.progress === undefined && batch.isFinished && batch.unstoredCount === 0;
    if (isReleased || isOver) await this.#end(batch);
    else this.#options.onStored(batch);
  }

  async #end(batch: Batch): Promise<void> {
    batch.isEnding = true;
    const { pipelined, batches, log, onEnd } = this.#options;
    const unstarted = batch.lease === undefined ? batch.unstarted() : [];
    if (unstarted.length > 0) {
      // If this fails, `leaseQueued` releases them: they are leased under this worker's id, but not in any batch.
      await releaseQueued(pipelined, batch.send.ref, batch.workerId, unstarted).catch((error: unknown) =>
        log.warn({ err: error }, 'queued messages could not be given back yet'),
      );
    }
    batches.delete(batch);
    onEnd(batch);
  }
}

/** Finds recipients of a batch that were suppressed after the lease and not started, so that they are skipped. */
export async function skipSuppressed(pipelined: PipelinedDatabase, batch: Batch): Promise<void> {
  const seqs = batch.unstarted();
  if (seqs.length === 0) return;
  for (const address of await listSuppressed(pipelined, batch.send.ref, seqs)) batch.suppressed.add(address);
}
