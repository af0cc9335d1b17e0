import type { WorkerHeartbeat } from '../../platform/worker-heartbeat.ts';
import type { Batch } from './batch.ts';
import type { BatchCommitter } from './batch-committer.ts';
import type { Batches } from './batches.ts';

/** A connection sends no further message before its result is stored: results wait no longer than this for more of them. */
const maxUnstoredMs = 5;
/** What could not be stored, or moved on, is tried again. */
const checkMs = 100;

export interface ResultStoreOptions {
  heartbeat: Pick<WorkerHeartbeat, 'id'>;
  batches: Batches;
  committer: Pick<BatchCommitter, 'commit'>;
  /** So many results are stored without waiting for more. */
  storeAt: number;
}

/** Decides when the results of batches are stored and their next messages marked ahead: many with one commit, but soon. */
export class ResultStore {
  readonly #options: ResultStoreOptions;
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
    const { batches, storeAt, committer } = this.#options;
    const { unstoredCount } = batches;
    const isEnough = unstoredCount >= storeAt;
    if (unstoredCount > 0 && !isEnough) this.#storeTimer ??= setTimeout(() => this.storeAll(), maxUnstoredMs);
    for (const batch of batches)
      if (batch.isFinished || (isEnough && batch.unstoredCount > 0) || this.#isHeldUp(batch))
        committer.commit(batch);
  }

  storeAll(): void {
    const { batches, committer } = this.#options;
    clearTimeout(this.#storeTimer);
    this.#storeTimer = undefined;
    for (const batch of batches) {
      const isWaiting =
        batch.unstoredCount > 0 ||
        batch.isFinished ||
        batch.mark.isUnconfirmed ||
        (batch.isStarved && Math.floor(batches.inFlight.fairShare(batch)) >= 1);
      if (isWaiting) committer.commit(batch);
    }
  }

  /** Nothing of it starts before its mark moves on, and the mark can move on by so much that a commit is worth it. */
  #isHeldUp(batch: Batch): boolean {
    const { batches, storeAt, heartbeat } = this.#options;
    // Without a heartbeat nothing more is marked, and a commit would change nothing.
    if (!batch.isStarved || heartbeat.id === undefined) return false;
    const { unstoredCount, mark, remaining, lane } = batch;
    const room = unstoredCount + Math.floor(batches.inFlight.fairShare(batch));
    return room >= Math.min(mark.inFlightCount > unstoredCount ? storeAt : 1, remaining, lane.slots);
  }
}
