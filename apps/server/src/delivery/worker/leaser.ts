import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import type { Log } from '../../platform/log.ts';
import { leaseChunk } from '../queue/lease-chunk.queries.ts';
import { renewChunk } from '../queue/held-chunk.queries.ts';
import { leaseQueued } from '../queue/lease-queued.queries.ts';
import { renewQueued } from '../queue/held-queued.queries.ts';
import type { ActiveSend } from './active-send.ts';
import { Batch } from './batch.ts';
import type { Lane } from './lane.ts';
import type { Lanes } from './lanes.ts';
import type { Batches } from './batches.ts';
import type { Rates } from './rates.ts';

/** Leases hold for 120 s (send-statements.ts), and the reply to one message may take 600 s. */
const renewMs = 30_000;

/** On a busy worker there are many looks for work a second; messages that go again wait for minutes. */
const defaultMinQueuedLeaseMs = 500;

export interface LeaserOptions {
  pipelined: PipelinedDatabase;
  log: Log;
  batches: Batches;
  /** Between two looks for the queued messages of a send; 500 if unset. */
  minQueuedLeaseMs?: number | undefined;
  lanes: Lanes;
  rates: Rates;
  /** A new batch is there. */
  onLeased: () => void;
  /** Messages that a dead worker had under way are due. */
  onRecovered: (send: ActiveSend) => void;
}

/** Takes chunks and queued messages of a send, as far as there is room, and keeps them. */
export class Leaser {
  readonly #options: LeaserOptions;
  /** In whose name is leased; undefined while the worker has no heartbeat. */
  workerId: number | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(options: LeaserOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#renewAll(), renewMs / 10);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** @returns whether there was anything to take, or may be later */
  async leaseQueued(send: ActiveSend): Promise<boolean> {
    const { pipelined, batches, lanes, onLeased, onRecovered } = this.#options;
    const { minQueuedLeaseMs = defaultMinQueuedLeaseMs } = this.#options;
    const { workerId } = this;
    const ofSend = batches.of(send).filter((batch) => batch.lease === undefined);
    const slots = send.isSingle ? batches.freeSingleSlots : batches.freeQueuedSlots;
    const isBusy = (lane: Lane) => ofSend.some((batch) => batch.lane === lane && batch.isOpen);
    const free = [...lanes].filter((lane) => this.#isFree(send, lane) && !isBusy(lane));
    if (workerId === undefined || slots === 0) return true;
    if (free.length === 0) return ofSend.length > 0;
    const now = performance.now();
    if (!send.isSingle && now - send.askedForQueuedAt < minQueuedLeaseMs) return true;
    send.askedForQueuedAt = now;
    const heldSeqs = ofSend.flatMap((batch) => batch.seqs());
    const wanted = free
      .map((lane) => ({ lane: lane.group, limit: Math.min(slots, batches.markRoom(send, lane)) }))
      .filter(({ limit }) => limit >= 1);
    if (wanted.length === 0) return true;
    batches.reserved += slots;
    try {
      const leased = await leaseQueued(pipelined, send.ref, { workerId, wanted, limit: slots, heldSeqs });
      for (const [group, recipients] of Map.groupBy(leased.recipients, ({ lane }) => lane))
        batches.add(new Batch(send, lanes.get(group), workerId, recipients, undefined));
      const { recipients, hasRecovered } = leased;
      if (hasRecovered) onRecovered(send);
      return recipients.length > 0;
    } finally {
      batches.reserved -= slots;
      onLeased();
    }
  }

  #isFree(send: ActiveSend, lane: Lane): boolean {
    return !lane.isWaiting && this.#options.rates.waitMs(send, lane.group) === 0;
  }

  /** The lanes of which a send may take a chunk now. */
  lanesFor(send: ActiveSend): Lane[] {
    const { batches, lanes } = this.#options;
    return [...lanes].filter(
      (lane) =>
        this.#isFree(send, lane) && !send.emptyLanes.has(lane) && batches.places.needsNextChunk(send, lane),
    );
  }

  /** @returns whether there was a chunk to take */
  async leaseChunk(send: ActiveSend, wanted: Lane[]): Promise<boolean> {
    const { pipelined, batches, lanes, onLeased } = this.#options;
    const { workerId } = this;
    if (workerId === undefined) return true;
    const ofSend = batches.of(send);
    const share = batches.fairShare();
    // The unmarked rest of a chunk of the same lane comes first; the next chunk is marked later.
    const isAhead = (lane: Lane) =>
      ofSend.some((batch) => batch.lane === lane && batch.lease !== undefined && batch.hasUnmarked);
    const ofLanes = wanted.map((lane) => ({
      lane: lane.group,
      limit: isAhead(lane) ? 0 : Math.max(0, Math.floor(Math.min(share, batches.markRoom(send, lane)))),
    }));
    const held = ofSend.flatMap((batch) => batch.lease?.firstSeq ?? []);
    const reserved = Math.max(...ofLanes.map(({ limit }) => limit));
    batches.reserved += reserved;
    try {
      const leased = await leaseChunk(pipelined, send.ref, workerId, ofLanes, held);
      if (leased === undefined) {
        for (const lane of wanted) send.emptyLanes.add(lane);
        return false;
      }
      const { lane, lease, recipients } = leased;
      batches.add(new Batch(send, lanes.get(lane), workerId, recipients, lease));
      return true;
    } finally {
      batches.reserved -= reserved;
      onLeased();
    }
  }

  /**
   * The connection that kept us alive was lost, and what we hold is anybody's: chunks become ours again by their token,
   * unless somebody was faster. Queued messages have none, so no more of those are started.
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
      if (now - batch.renewedAt < renewMs || this.workerId === undefined) continue;
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
    } catch (error) {
      log.warn({ err: error }, 'leases could not be renewed');
    }
  }
}
