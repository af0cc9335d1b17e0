import type { ActiveSend } from './active-send.ts';
import type { Batch } from './batch.ts';
import type { Lane } from './lane.ts';
import type { Rates } from './rates.ts';

/** One part in this many of the in-flight limit is reserved for single messages. */
const singlePart = 8;
/** One part in this many is for queued messages of bulk sends, while they wait beside chunks. */
const queuedPart = 4;

type Counts = Record<'chunk' | 'queued' | 'single', number>;

/** Limits the messages in flight, those without a stored result, and shares them out (docs/sending.md). */
export class InFlightLimit {
  readonly limit: number;
  readonly #batches: Iterable<Batch>;
  readonly #rates: Pick<Rates, 'markLimit'>;
  readonly #singleLimit: number;
  readonly #queuedLimit: number;
  /** Whether queued messages are due without a free slot; chunks then leave them their part. */
  hasQueuedWaiting = false;
  /** Slots reserved for leases in progress. */
  reserved = 0;

  /** @param limit maximum messages without a stored result */
  constructor(batches: Iterable<Batch>, limit: number, rates: Pick<Rates, 'markLimit'>) {
    this.limit = limit;
    this.#batches = batches;
    this.#rates = rates;
    this.#singleLimit = Math.floor(limit / singlePart);
    this.#queuedLimit = Math.floor(limit / queuedPart);
  }

  /** Messages that may have been sent without a stored result. */
  get count(): number {
    const { chunk, queued, single } = this.#count();
    return chunk + queued + single;
  }

  /** Free slots for messages of chunks; the parts of single messages, and of waiting queued ones, stay reserved. */
  get freeSlots(): number {
    return this.#freeForChunks(this.#count());
  }

  /** Free slots for queued messages of bulk sends: their part, or that of chunks too while there is no chunk. */
  get freeQueuedSlots(): number {
    const { chunk, queued, single } = this.#count();
    const free = this.limit - this.reserved - chunk - queued - Math.max(single, this.#singleLimit);
    const limit = this.#hasChunks() ? Math.max(1, this.#queuedLimit) : this.limit;
    return Math.max(0, Math.min(free, limit - queued));
  }

  /** Free slots for single messages: their share, or nearly all while there is no bulk send. */
  get freeSingleSlots(): number {
    const { chunk, queued, single } = this.#count();
    const bulk = chunk + queued;
    const free = this.limit - this.reserved - bulk - single;
    const share = Math.max(1, this.#singleLimit);
    // The same share stays free for the next bulk send, or it would never get a slot.
    const limit = bulk === 0 ? Math.max(1, this.limit - share) : share;
    return Math.max(0, Math.min(free, limit - single));
  }

  /**
   * Computes how many more messages a batch, or a new one, may mark. The sends share the in-flight limit; within a send
   * and lane, the oldest chunk with unmarked messages comes first. A lane marks no more than it can start.
   * @returns the number, not rounded; negative for a batch that has more than its share
   */
  fairShare(batch?: Batch): number {
    const counts = this.#count();
    let others = this.#roomForOthers(counts);
    const marking = new Set<string>();
    for (const each of this.#batches) {
      if (!isChunk(each)) continue;
      const key = `${each.send.ref.sendId} ${each.lane.group}`;
      const hasOlderBatch = marking.has(key);
      if (each === batch && hasOlderBatch) return 0;
      if (each.hasUnmarked && !hasOlderBatch) marking.add(key);
      else if (each !== batch) others += each.mark.inFlightCount;
    }
    const sharing = marking.size + (batch === undefined ? 1 : 0);
    const fair = (this.limit - others) / Math.max(1, sharing) - (batch?.mark.inFlightCount ?? 0);
    const ofLane = batch === undefined ? Infinity : this.markRoom(batch.send, batch.lane);
    return Math.min(fair, this.#freeForChunks(counts), ofLane);
  }

  /** @returns how many more messages of a send and lane may be marked */
  markRoom(send: ActiveSend, lane: Lane): number {
    const markLimit = Math.min(lane.markLimit, this.#rates.markLimit(send, lane.group));
    if (markLimit === Infinity) return Infinity;
    let inFlight = 0;
    for (const batch of this.#batches) {
      if (batch.lane === lane && batch.send.ref.sendId === send.ref.sendId)
        inFlight += batch.mark.inFlightCount;
    }
    return markLimit - inFlight;
  }

  #freeForChunks(counts: Counts): number {
    return Math.max(0, this.limit - this.reserved - counts.chunk - this.#roomForOthers(counts));
  }

  /** Slots that chunks leave to queued and single messages, in use or not. */
  #roomForOthers({ queued, single }: Counts): number {
    const queuedRoom = this.hasQueuedWaiting ? Math.max(queued, this.#queuedLimit) : queued;
    return queuedRoom + Math.max(single, this.#singleLimit);
  }

  #count(): Counts {
    const counts: Counts = { chunk: 0, queued: 0, single: 0 };
    for (const batch of this.#batches) {
      const kind = batch.send.isSingle ? 'single' : batch.lease === undefined ? 'queued' : 'chunk';
      counts[kind] += batch.mark.inFlightCount;
    }
    return counts;
  }

  #hasChunks(): boolean {
    for (const batch of this.#batches) if (isChunk(batch)) return true;
    return false;
  }
}

/** Whether the batch has neither queued nor single messages. */
const isChunk = ({ send, lease }: Batch): boolean => !send.isSingle && lease !== undefined;
