import type { ActiveSend } from './active-send.ts';
import type { Batch } from './batch.ts';
import type { Lane } from './lane.ts';
import { shareOf, type OpenTransport } from './open-transports.ts';
import type { Rates } from './rates.ts';

/** One part in this many of the in-flight limit is reserved for single messages. */
const singlePart = 8;
/** One part in this many is for queued messages of bulk sends, while they wait beside chunks. */
const queuedPart = 4;

type Counts = Record<'chunk' | 'queued' | 'single', number>;

/**
 * Limits the messages in flight, those without a stored result, and shares them out (docs/sending.md). There is one for the transports of
 * the installation, and one for those of organizations: their slow replies hold no slots of the others.
 */
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

  /** Free slots for queued messages of a send, or for its single messages: no more than the part of its transport. */
  freeSlotsFor(send: Pick<ActiveSend, 'isSingle' | 'transport'>): number {
    const free = send.isSingle ? this.freeSingleSlots : this.freeQueuedSlots;
    const all = Math.max(1, send.isSingle ? this.#singleLimit : this.#queuedLimit);
    const room = this.#roomOf(send, all, (batch) => kindOf(batch) === (send.isSingle ? 'single' : 'queued'));
    return Math.max(0, Math.min(free, Math.ceil(room)));
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
   * Computes how many more messages a batch, or a new one, may mark. The sends share the in-flight limit, and so do
   * their transports; within a send and lane, the oldest chunk with unmarked messages comes first. A lane marks no more than it
   * can start.
   * @param send  of a new batch
   * @returns the number, not rounded; negative for a batch that has more than its share
   */
  fairShare(batch?: Batch, send = batch?.send): number {
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
    const held = batch?.mark.inFlightCount ?? 0;
    // At least one, if there are more sends than slots: whoever comes first.
    const fair = Math.max((this.limit - others) / Math.max(1, sharing), 1) - held;
    const ofLane = batch === undefined ? Infinity : this.markRoom(batch.send, batch.lane);
    const ofTransport = send === undefined ? Infinity : this.#roomOf(send, this.limit, () => true);
    return Math.min(fair, this.#freeForChunks(counts), ofLane, ofTransport);
  }

  /**
   * @param isCounted  the batches that use these slots
   * @returns how many more of the slots the transport of a send may hold: the whole while it is the only one, unless it is of an
   *   organization
   */
  #roomOf(
    { transport }: Pick<ActiveSend, 'transport'>,
    slots: number,
    isCounted: (batch: Batch) => boolean,
  ): number {
    const others = new Set<OpenTransport>();
    let inFlight = 0;
    for (const batch of this.#batches) {
      const held = batch.mark.inFlightCount;
      if (batch.send.transport === transport) inFlight += isCounted(batch) ? held : 0;
      else if (held > 0 || batch.isOpen) others.add(batch.send.transport);
    }
    return others.size === 0 && !transport.isOwn
      ? Infinity
      : shareOf(transport, [...others], slots) - inFlight;
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
      counts[kindOf(batch)] += batch.mark.inFlightCount;
    }
    return counts;
  }

  #hasChunks(): boolean {
    for (const batch of this.#batches) if (isChunk(batch)) return true;
    return false;
  }
}

const kindOf = ({ send, lease }: Batch): keyof Counts =>
  send.isSingle ? 'single' : lease === undefined ? 'queued' : 'chunk';

/** Whether the batch has neither queued nor single messages. */
const isChunk = (batch: Batch): boolean => kindOf(batch) === 'chunk';
