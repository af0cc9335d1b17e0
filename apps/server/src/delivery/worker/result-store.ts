import { setTimeout as delay } from 'node:timers/promises';
import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import type { Log } from '../../platform/log.ts';
import { Durations } from '../../platform/metrics/durations.ts';
import type { WorkerHeartbeat } from '../../platform/worker-heartbeat.ts';
import { listSuppressed } from '../queue/held-chunk.queries.ts';
import { storeChunk } from '../queue/store-chunk.queries.ts';
import { storeResults } from '../queue/store-results.queries.ts';
import { releaseQueued } from '../queue/held-queued.queries.ts';
import type { Batch, Unstored } from './batch.ts';
import type { Batches } from './batches.ts';

/** A connection sends no further message before its result is stored: results wait no longer than this for more of them. */
const maxUnstoredMs = 5;
/** What could not be stored, or moved on, is tried again. */
const checkMs = 100;
const databaseRetryMs = 500;

export interface ResultStoreOptions {
  pipelined: PipelinedDatabase;
  log: Log;
  heartbeat: Pick<WorkerHeartbeat, 'id'>;
  batches: Batches;
  /** So many results are stored without waiting for more. */
  storeAt: number;
  /** Results are stored, or could not be: more messages may start. */
  onProgress: () => void;
  /** The batch is marked or stored as far as it goes for now: its send may take more. */
  onStored: (batch: Batch) => void;
  /** All of the batch is stored, and the rest given back. */
  onEnd: (batch: Batch) => void;
}

/** Stores what became of messages and marks the next ones ahead, each batch on its own, one commit of it at a time. */
export class ResultStore {
  readonly #options: ResultStoreOptions;
  /** Of commits. */
  readonly durations = new Durations();
  /** Commits that failed. */
  failures = 0;
  readonly #checkTimer: NodeJS.Timeout;
  #storeTimer: NodeJS.Timeout | undefined;

  constructor(options: ResultStoreOptions) {
    this.#options = options;
    this.#checkTimer = setInterval(() => this.storeAll(), checkMs);
  }

  close(): void {
    clearInterval(this.#checkTimer);
    clearTimeout(this.#storeTimer);
  }

  /** Stores when enough results wait, when nothing can start without it, or when a batch is finished. */
  storeDue(): void {
    const { batches, storeAt, heartbeat } = this.#options;
    const { unstoredCount } = batches;
    const isEnough = unstoredCount >= storeAt;
    if (unstoredCount > 0 && !isEnough) this.#storeTimer ??= setTimeout(() => this.storeAll(), maxUnstoredMs);
    for (const batch of batches) {
      const isDue =
        batch.isFinished ||
        (isEnough && batch.unstoredCount > 0) ||
        (batch.isStarved &&
          // Without it nothing more is marked, and a commit would change nothing.
          heartbeat.id !== undefined &&
          batch.unstoredCount + Math.floor(batches.fairShare(batch)) >=
            Math.min(
              batch.inFlightCount > batch.unstoredCount ? storeAt : 1,
              batch.remaining,
              batch.lane.slots,
            ));
      if (isDue) this.#store(batch);
    }
  }

  storeAll(): void {
    const { batches } = this.#options;
    clearTimeout(this.#storeTimer);
    this.#storeTimer = undefined;
    for (const batch of batches) {
      const isWaiting =
        batch.unstoredCount > 0 ||
        batch.isFinished ||
        batch.isMarkUnconfirmed ||
        (batch.isStarved && Math.floor(batches.fairShare(batch)) >= 1);
      if (isWaiting) this.#store(batch);
    }
  }

  #store(batch: Batch): void {
    if (batch.isStoring || batch.isEnding || !this.#options.batches.has(batch)) return;
    batch.isStoring = true;
    void this.#storeNow(batch);
  }

  async #storeNow(batch: Batch): Promise<void> {
    const { heartbeat, batches, log } = this.#options;
    // Each stored result frees a slot. Without a heartbeat other workers may take the chunk: nothing more is marked.
    const more = heartbeat.id === undefined ? 0 : Math.floor(batches.fairShare(batch) + batch.unstoredCount);
    const taken = batch.takeUnstored(Math.max(0, more));
    try {
      const begunAt = performance.now();
      const isStored = await this.#commit(batch, taken);
      this.durations.record(performance.now() - begunAt);
      if (!isStored) {
        // Stored at once without the chunk: somebody else has it.
        batch.restoreUnstored(taken);
        batch.isLost = true;
        batch.isStopping = true;
      } else {
        batch.confirmStored(taken);
        const isReleased = taken.progress?.release !== undefined;
        const isOver = taken.progress === undefined && batch.isFinished && batch.unstoredCount === 0;
        if (isReleased || isOver) await this.#end(batch);
        else this.#options.onStored(batch);
      }
    } catch (error) {
      this.failures += 1;
      batch.restoreUnstored(taken);
      log.warn({ err: error }, 'results could not be stored yet');
      await delay(databaseRetryMs);
    } finally {
      batch.isStoring = false;
      this.#options.onProgress();
    }
  }

  /** @returns false when the chunk is not ours any more, and nothing was stored */
  async #commit(batch: Batch, { finished, progress }: Unstored): Promise<boolean> {
    const { pipelined, heartbeat } = this.#options;
    const results = finished.map(({ result }) => result);
    const bounces = finished.flatMap(({ bounce }) => bounce ?? []);
    if (progress === undefined) {
      await storeResults(pipelined, batch.send.ref, results, bounces);
      return true;
    }
    const stored = await storeChunk(pipelined, batch.send.ref, heartbeat.id, results, bounces, progress);
    if (stored?.hasNewlySuppressed === true) {
      const suppressed = await listSuppressed(pipelined, batch.send.ref, batch.lease!);
      for (const address of suppressed) batch.suppressed.add(address);
    }
    return stored !== undefined;
  }

  async #end(batch: Batch): Promise<void> {
    batch.isEnding = true;
    const { pipelined, batches, log } = this.#options;
    const unstarted = batch.lease === undefined ? batch.unstarted() : [];
    if (unstarted.length > 0) {
      // If this fails, `leaseQueued` finds them: in our name, but unknown to us.
      await releaseQueued(pipelined, batch.send.ref, batch.workerId, unstarted).catch((error: unknown) =>
        log.warn({ err: error }, 'queued messages could not be given back yet'),
      );
    }
    batches.delete(batch);
    this.#options.onEnd(batch);
  }
}
