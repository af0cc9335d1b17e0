import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import { leaseChunk, leaseChunkFrom } from '../../queue/lease-chunk.queries.ts';
import { leaseQueued } from '../../queue/lease-queued.queries.ts';
import type { ActiveSend } from './active-send.ts';
import { Batch } from './batch.ts';
import type { Lane } from './lane.ts';
import type { LeaseRenewer } from './lease-renewer.ts';
import type { Batches } from './batches.ts';
import type { Rates } from './rates.ts';

/** A busy worker looks for work many times a second, but messages to retry wait for minutes. */
const defaultMinQueuedLeaseMs = 500;
/** Maximum time for which chunks given back or left by dead workers may be overlooked while others are free. */
const maxPartialLooksMs = 5_000;

export interface LeaserOptions {
  pipelined: PipelinedDatabase;
  /** Provides the worker id for leases. */
  renewer: Pick<LeaseRenewer, 'workerId'>;
  batches: Batches;
  /** Minimum time between two searches for queued messages of a send; default 500. */
  minQueuedLeaseMs?: number | undefined;
  rates: Rates;
  /** Called after each lease, successful or not: there may be a new batch. */
  onLeased: () => void;
  /** Called when messages that a dead worker had in progress are due. */
  onRecovered: (send: ActiveSend) => void;
}

/** Whether to search all chunks of a send again, including those before the last leased one. */
export const isLookAtAllDue = ({ lookedAtAllAt }: ActiveSend): boolean =>
  performance.now() - lookedAtAllAt >= maxPartialLooksMs;

/** Leases chunks and queued messages of a send, up to the free capacity. */
export class Leaser {
  readonly #options: LeaserOptions;

  constructor(options: LeaserOptions) {
    this.#options = options;
  }

  /** Whether the worker has a heartbeat. */
  get canLease(): boolean {
    return this.#options.renewer.workerId !== undefined;
  }

  /** @returns whether there was anything to lease, or may be later */
  async leaseQueued(send: ActiveSend): Promise<boolean> {
    const { pipelined, renewer, batches, onLeased, onRecovered } = this.#options;
    const { lanes } = send.transport;
    const { minQueuedLeaseMs = defaultMinQueuedLeaseMs } = this.#options;
    const { workerId } = renewer;
    const ofSend = batches.of(send).filter((batch) => batch.lease === undefined);
    const inFlight = batches.inFlightOf(send);
    const slots = inFlight.freeSlotsFor(send);
    const isBusy = (lane: Lane) => ofSend.some((batch) => batch.lane === lane && batch.isOpen);
    const free = [...lanes].filter((lane) => this.#isFree(send, lane) && !isBusy(lane));
    if (workerId === undefined || slots === 0) return true;
    if (free.length === 0) return ofSend.length > 0;
    const now = performance.now();
    if (!send.isSingle && now - send.askedForQueuedAt < minQueuedLeaseMs) return true;
    send.askedForQueuedAt = now;
    const heldSeqs = ofSend.flatMap((batch) => batch.seqs());
    const wanted = free
      .flatMap((lane) => {
        const limit = Math.min(slots, inFlight.markRoom(send, lane));
        return lanes.groupsOf(lane).map((group) => ({ lane: group, limit }));
      })
      .filter(({ limit }) => limit >= 1);
    if (wanted.length === 0) return true;
    inFlight.reserved += slots;
    send.unclearLeases.add('queued');
    try {
      const leased = await leaseQueued(pipelined, send.ref, { workerId, wanted, limit: slots, heldSeqs });
      send.unclearLeases.delete('queued');
      for (const [group, recipients] of Map.groupBy(leased.recipients, ({ lane }) => lane))
        batches.add(new Batch(send, lanes.get(group), workerId, recipients, undefined));
      const { recipients, hasRecovered } = leased;
      if (hasRecovered) onRecovered(send);
      return recipients.length > 0;
    } finally {
      inFlight.reserved -= slots;
      onLeased();
    }
  }

  #isFree(send: ActiveSend, lane: Lane): boolean {
    const { rates, batches } = this.#options;
    return !lane.isWaiting && !rates.isHeldUp(send, lane.group, batches.isCrowded);
  }

  /** @returns the lanes of which a send may lease a chunk now */
  lanesFor(send: ActiveSend): Lane[] {
    const { batches } = this.#options;
    return [...send.transport.lanes].filter(
      (lane) =>
        this.#isFree(send, lane) && !send.emptyLanes.has(lane) && batches.places.needsNextChunk(send, lane),
    );
  }

  /** @returns false if there was no chunk to lease */
  async leaseChunk(send: ActiveSend, wanted: Lane[]): Promise<boolean> {
    const { pipelined, renewer, batches, onLeased } = this.#options;
    const { lanes } = send.transport;
    const { workerId } = renewer;
    if (workerId === undefined) return true;
    const ofSend = batches.of(send);
    const inFlight = batches.inFlightOf(send);
    const share = inFlight.fairShare(undefined, send);
    // The unmarked rest of a chunk of the same lane comes first; the next chunk is marked later.
    const isAhead = (lane: Lane) =>
      ofSend.some((batch) => batch.lane === lane && batch.lease !== undefined && batch.hasUnmarked);
    const ofLanes = wanted.flatMap((lane) => {
      const room = isAhead(lane) ? 0 : Math.min(share, inFlight.markRoom(send, lane));
      const limit = Math.max(0, Math.floor(room));
      return lanes.groupsOf(lane).map((group) => ({ lane: group, limit }));
    });
    const held = ofSend.flatMap((batch) => batch.lease?.firstSeq ?? []);
    const reserved = Math.max(...ofLanes.map(({ limit }) => limit));
    inFlight.reserved += reserved;
    const isAllWanted = send.unclearLeases.has('chunk') || isLookAtAllDue(send);
    send.unclearLeases.add('chunk');
    try {
      const ahead = ofLanes.map((wantedLane) => ({
        ...wantedLane,
        from: send.nextSeqs.get(wantedLane.lane) ?? 0,
      }));
      let leased = isAllWanted ? undefined : await leaseChunkFrom(pipelined, send.ref, workerId, ahead);
      if (leased === undefined) {
        leased = await leaseChunk(pipelined, send.ref, workerId, ofLanes, held);
        send.lookedAtAllAt = performance.now();
      }
      send.unclearLeases.delete('chunk');
      if (leased === undefined) {
        for (const lane of wanted) send.emptyLanes.add(lane);
        return false;
      }
      const { lane, lease, recipients } = leased;
      send.nextSeqs.set(lane, lease.lastSeq + 1);
      batches.add(new Batch(send, lanes.get(lane), workerId, recipients, lease));
      return true;
    } finally {
      inFlight.reserved -= reserved;
      onLeased();
    }
  }
}
