import { type RecipientGroup, recipientGroups } from '@reachout/contract/statuses.ts';
import type { MailTransport } from '../../email/transports/transport.ts';
import type { WaitingLane } from '../../queue/schedule-send.queries.ts';
import { TransportBreaker } from './breaker.ts';
import { smallShare } from './lane-pace.ts';
import { Lane } from './lane.ts';

export interface OpenTransport {
  readonly name: string;
  readonly transport: MailTransport;
  readonly lanes: Lanes;
  /** Messages that it can take beside those that it has. */
  freeCapacity: number;
}

/** The transports of a worker. Each send leaves by the one that the policy of its organization names. */
export class OpenTransports {
  readonly all: readonly OpenTransport[];

  /** @param onFree  called when a wait of a lane ends */
  constructor(
    transports: Readonly<Record<string, MailTransport>>,
    options: { waitsMs: readonly number[]; onFree: () => void },
  ) {
    this.all = Object.entries(transports).map(([name, transport]) => ({
      name,
      transport,
      lanes: new Lanes({ capacity: transport.capacity, ...options }),
      freeCapacity: transport.capacity,
    }));
  }

  /** @throws if this worker has no such transport */
  of(wanted: string): OpenTransport {
    const found = this.all.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`This worker has no transport ${wanted}.`);
    return found;
  }

  get hasCapacity(): boolean {
    return this.all.some(({ freeCapacity }) => freeCapacity > 0);
  }
}

/** Maximum time until a send that waits for a lane is due again, because the lane of another worker may not wait. */
const maxUntilLookMs = 60_000;

/** The lanes of one transport. */
export class Lanes implements Iterable<Lane> {
  readonly #connections: number;
  readonly #transportBreaker: TransportBreaker;
  readonly #lanes: ReadonlyMap<RecipientGroup, Lane>;
  /** Lanes with messages to start, as of the last `update`. */
  readonly #active = new Set<Lane>();

  /**
   * @param capacity  messages that keep the transport busy
   * @param onFree  called when a wait ends
   */
  constructor({
    capacity,
    waitsMs,
    onFree,
  }: {
    capacity: number;
    waitsMs: readonly number[];
    onFree: () => void;
  }) {
    this.#connections = capacity / 2;
    this.#transportBreaker = new TransportBreaker(onFree);
    const transportBreaker = this.#transportBreaker;
    this.#lanes = new Map(
      recipientGroups.map((group) => [
        group,
        new Lane({ group, capacity, transportBreaker, waitsMs, onFree }),
      ]),
    );
  }

  [Symbol.iterator](): Iterator<Lane> {
    return this.#lanes.values();
  }

  /** Whether the mail server cannot be reached, so that nothing is started. */
  get isAway(): boolean {
    return this.#transportBreaker.isOpen;
  }

  get(group: RecipientGroup): Lane {
    return this.#lanes.get(group)!;
  }

  /**
   * Computes the share of each lane. Quick lanes share what slow and new ones leave.
   * @param batches  of all transports
   */
  update(batches: Iterable<{ readonly lane: Lane; readonly isOpen: boolean }>): void {
    const active = this.#active;
    active.clear();
    for (const batch of batches)
      if (batch.isOpen && this.get(batch.lane.group) === batch.lane) active.add(batch.lane);
    let quick = 0;
    for (const { isQuick } of active) if (isQuick) quick += 1;
    for (const lane of this) {
      const isActive = active.has(lane);
      const others = active.size - Number(isActive);
      const quickOthers = quick - Number(isActive && lane.isQuick);
      const left = this.#connections * (1 - (others - quickOthers) * smallShare);
      lane.share = others === 0 ? undefined : Math.max(1, left / (quickOthers + 1));
    }
  }

  /** Lists the waiting lanes. Other workers do not know these waits, and may have none. */
  waiting(): WaitingLane[] {
    return [...this]
      .filter(({ isWaiting }) => isWaiting)
      .map(({ group, waitMs, reason }) => {
        return { lane: group, waitMs: Math.ceil(Math.min(waitMs, maxUntilLookMs)), reason };
      });
  }
}
