import type { ActiveSend } from './active-send.ts';
import type { Batch } from './batch.ts';
import type { Lane } from './lane.ts';
import { Places } from './places.ts';
import type { Rates } from './rates.ts';

/** Of the in-flight limit one part in so many is for single messages alone. */
const singlePart = 8;

/** One part in so many is for queued messages of bulk sends, while they wait beside chunks. */
const queuedPart = 4;

/**
 * All batches that a worker holds, the oldest first, and the in-flight limit that they share: how many messages may be
 * under way without a stored result (docs/sending.md).
 */
export class Batches implements Iterable<Batch> {
  readonly limit: number;
  readonly #singleLimit: number;
  readonly #queuedLimit: number;
  /** Queued messages are due and have no room: chunks leave them their part. */
  hasQueuedWaiting = false;
  /** There were due sends at the last look that found no room: what is free is theirs. */
  isCrowded = false;
  /** Room that is promised to leases under way. */
  reserved = 0;
  readonly #all = new Set<Batch>();
  /** Those of single messages among them. */
  readonly #singles = new Set<Batch>();
  readonly places: Places;
  readonly #rates: Pick<Rates, 'markLimit'>;

  /** @param limit most messages without a stored result */
  constructor(limit: number, rates: Pick<Rates, 'markLimit'>) {
    this.limit = limit;
    this.#singleLimit = Math.floor(limit / singlePart);
    this.#rates = rates;
    this.places = new Places(this.#all, limit);
    this.#queuedLimit = Math.floor(limit / queuedPart);
  }

  [Symbol.iterator](): Iterator<Batch> {
    return this.#all.values();
  }

  /** The oldest first of single messages, and then of the others. */
  singlesFirst(): Iterable<Batch> {
    if (this.#singles.size === 0) return this.#all;
    return [...this.#singles, ...[...this.#all].filter(({ send }) => !send.isSingle)];
  }

  get size(): number {
    return this.#all.size;
  }

  add(batch: Batch): void {
    this.#all.add(batch);
    if (batch.send.isSingle) this.#singles.add(batch);
  }

  delete(batch: Batch): void {
    this.#all.delete(batch);
    this.#singles.delete(batch);
  }

  has(batch: Batch): boolean {
    return this.#all.has(batch);
  }

  /** Also those of an earlier time, before a pause for instance. */
  of({ ref }: ActiveSend): Batch[] {
    return [...this.#all].filter((batch) => batch.send.ref.sendId === ref.sendId);
  }

  /** Results that wait to be stored. */
  get unstoredCount(): number {
    let count = 0;
    for (const batch of this.#all) count += batch.unstoredCount;
    return count;
  }

  /** Messages that may have left without a stored result. */
  get inFlightCount(): number {
    let count = 0;
    for (const batch of this.#all) count += batch.inFlightCount;
    return count;
  }

  /** How many more messages of chunks fit: the parts of single messages, and of queued ones that wait, stay free for them. */
  get freeSlots(): number {
    const inFlight = this.#countInFlight();
    return Math.max(0, this.limit - this.reserved - inFlight.chunk - this.#roomForOthers(inFlight));
  }

  /** How many more queued messages of bulk sends fit: their part, and all of these while there is no chunk. */
  get freeQueuedSlots(): number {
    const { chunk, queued, single } = this.#countInFlight();
    const free = this.limit - this.reserved - chunk - queued - Math.max(single, this.#singleLimit);
    const limit = this.#hasChunks() ? Math.max(1, this.#queuedLimit) : this.limit;
    return Math.max(0, Math.min(free, limit - queued));
  }

  /** How many more single messages fit: their share, and nearly all while there is no bulk send. */
  get freeSingleSlots(): number {
    const { chunk, queued, single } = this.#countInFlight();
    const bulk = chunk + queued;
    const free = this.limit - this.reserved - bulk - single;
    const share = Math.max(1, this.#singleLimit);
    // As much stays free for a bulk send to come, or it would never find room.
    const limit = bulk === 0 ? Math.max(1, this.limit - share) : share;
    return Math.max(0, Math.min(free, limit - single));
  }

  /** What chunks leave to the others, in use or not. */
  #roomForOthers({ queued, single }: { queued: number; single: number }): number {
    const queuedRoom = this.hasQueuedWaiting ? Math.max(queued, this.#queuedLimit) : queued;
    return queuedRoom + Math.max(single, this.#singleLimit);
  }

  #countInFlight(): { chunk: number; queued: number; single: number } {
    const inFlight = { chunk: 0, queued: 0, single: 0 };
    for (const batch of this.#all) {
      const kind = batch.send.isSingle ? 'single' : batch.lease === undefined ? 'queued' : 'chunk';
      inFlight[kind] += batch.inFlightCount;
    }
    return inFlight;
  }

  #hasChunks(): boolean {
    for (const batch of this.#all) if (isChunk(batch)) return true;
    return false;
  }

  /**
   * How many more messages one batch, or a new one, may mark ahead. The sends share the in-flight limit; of one send and
   * lane the oldest chunk that has not marked all of its messages comes first. A lane marks no more than it can start.
   * @returns not rounded; negative for a batch that has more than its share
   */
  fairShare(batch?: Batch): number {
    let others = this.#roomForOthers(this.#countInFlight());
    const marking = new Set<string>();
    for (const each of this.#all) {
      if (!isChunk(each)) continue;
      const key = `${each.send.ref.sendId} ${each.lane.group}`;
      const hasOlderBatch = marking.has(key);
      if (each === batch && hasOlderBatch) return 0;
      if (each.hasUnmarked && !hasOlderBatch) marking.add(key);
      else if (each !== batch) others += each.inFlightCount;
    }
    const count = marking.size + (batch === undefined ? 1 : 0);
    const fair = (this.limit - others) / Math.max(1, count) - (batch?.inFlightCount ?? 0);
    return Math.min(
      fair,
      this.freeSlots,
      batch === undefined ? Infinity : this.markRoom(batch.send, batch.lane),
    );
  }

  /** How many more messages of a send and lane may be marked ahead. */
  markRoom(send: ActiveSend, lane: Lane): number {
    const markLimit = Math.min(lane.markLimit, this.#rates.markLimit(send, lane.group));
    if (markLimit === Infinity) return Infinity;
    let inFlight = 0;
    for (const batch of this.#all) {
      if (batch.lane === lane && batch.send.ref.sendId === send.ref.sendId) inFlight += batch.inFlightCount;
    }
    return markLimit - inFlight;
  }
}

/** Neither queued messages nor single ones. */
const isChunk = ({ send, lease }: Batch): boolean => !send.isSingle && lease !== undefined;
