import type { WorkerHeartbeat } from '../../platform/worker-heartbeat.ts';
import type { Batch } from './batch.ts';
import type { BatchCommitter } from './batch-committer.ts';
import type { Batches } from './batches.ts';
import type { OpenTransports } from './open-transports.ts';

/** Maximum time that results wait for others: a connection sends no further message before its result is stored. */
const maxUnstoredMs = 5;
/** Interval at which failed stores and mark updates are retried. */
const checkMs = 100;

export interface ResultStoreOptions {
  heartbeat: Pick<WorkerHeartbeat, 'id'>;
  batches: Batches;
  committer: Pick<BatchCommitter, 'commit'>;
  transports: OpenTransports;
  inFlightLimit: number;
}

/** Decides when results of batches are stored and their next messages marked: many per commit, but soon. */
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

  /**
   * This many results are stored without waiting for more: those of three quarters of the connections that are not waiting for
   * a late reply. The others can send nothing before that.
   */
  get #storeAt(): number {
    const { transports, inFlightLimit } = this.#options;
    let [slots, slotsHeldLong] = [0, 0];
    for (const open of transports.all) {
      const { usage } = open.transport;
      // Those of organizations are few, or slow: results of others must not wait until all of their slots are used.
      slots += open.isOwn ? usage.slotsInUse : usage.slots;
      slotsHeldLong += usage.slotsHeldLong;
    }
    const most = Math.min(inFlightLimit, slots);
    // Where all replies take long, storing each result by itself would only cost more commits.
    return Math.ceil((Math.max(most - slotsHeldLong, most / 4) * 3) / 4);
  }

  /** Stores if enough results are waiting, if nothing can start otherwise, or if a batch is finished. */
  storeDue(): void {
    const { batches, committer } = this.#options;
    const { unstoredCount } = batches;
    const isEnough = unstoredCount > 0 && unstoredCount >= this.#storeAt;
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
        (batch.isStarved && Math.floor(batches.inFlightOf(batch.send).fairShare(batch)) >= 1);
      if (isWaiting) committer.commit(batch);
    }
  }

  /** Whether nothing of it can start before its mark moves, and the mark can move far enough to justify a commit. */
  #isHeldUp(batch: Batch): boolean {
    const { batches, heartbeat } = this.#options;
    const { unstoredCount, mark, remaining, lane } = batch;
    // The mark of a slow lane has time until the next check: looked at after each result, many of them would slow down the others.
    // Without a heartbeat nothing more is marked, and a commit would change nothing.
    if (lane.isSlow || !batch.isStarved || heartbeat.id === undefined) return false;
    const room = unstoredCount + Math.floor(batches.inFlightOf(batch.send).fairShare(batch));
    return room >= Math.min(mark.inFlightCount > unstoredCount ? this.#storeAt : 1, remaining, lane.slots);
  }
}
