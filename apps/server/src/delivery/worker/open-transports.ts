import { type RecipientGroup, recipientGroups } from '@reachout/contract/statuses.ts';
import type { ChosenTransport, SenderPolicy } from '../../email/transports/sender-policy.ts';
import type { MailTransport } from '../../email/transports/transport.ts';
import type { WaitingLane } from '../../queue/schedule-send.queries.ts';
import { TransportBreaker } from './breaker.ts';
import { smallShare } from './lane-pace.ts';
import { Lane } from './lane.ts';

export interface OpenTransport {
  /** As metrics name it: that of the installation, or id and version of one of an organization. */
  readonly name: string;
  readonly transport: MailTransport;
  readonly lanes: Lanes;
  /** Whether it is of an organization. */
  readonly isOwn: boolean;
  /** Messages that it can take beside those that it has. */
  freeCapacity: number;
  /** Bytes of the messages that it has. */
  bytesUnderWay: number;
  /** Messages that were accepted since it was opened. */
  accepted: number;
  /** `performance.now()` when a send last asked for it. */
  usedAt: number;
  /** Sends that have it are loaded again. */
  isClosed: boolean;
}

/** Opens a transport of an organization. @throws if it cannot be opened */
export type OpenOwn = (organizationId: string, chosen: ChosenTransport) => Promise<MailTransport>;

/** Of organizations, in one worker: each has connections, lanes and memory. */
const maxOwn = 50;
/** One that no send has asked for since is closed. */
const idleMs = 60_000;
/** The same while there is no room for another one: a send that has just asked may be about to lease messages. */
const shortIdleMs = 5_000;

/** No more transports can be opened until one is idle. */
export class TransportsFull extends Error {
  override name = 'TransportsFull';
}

/** The transports of a worker. Each send leaves by the one that its policy names. Those of organizations are opened when needed. */
export class OpenTransports {
  #all: readonly OpenTransport[];
  readonly #opening = new Map<string, Promise<OpenTransport>>();
  readonly #options: { waitsMs: readonly number[]; onFree: () => void; openOwn?: OpenOwn | undefined };

  /** @param onFree  called when a wait of a lane ends */
  constructor(
    transports: Readonly<Record<string, MailTransport>>,
    options: { waitsMs: readonly number[]; onFree: () => void; openOwn?: OpenOwn | undefined },
  ) {
    this.#options = options;
    this.#all = Object.entries(transports).map(([name, transport]) => this.#wrap(name, transport, false));
  }

  get all(): readonly OpenTransport[] {
    return this.#all;
  }

  /** @throws TransportsFull; Error if this worker has no such transport, or it cannot be opened */
  async of(organizationId: string, policy: Pick<SenderPolicy, 'transport' | 'own'>): Promise<OpenTransport> {
    const name = transportNameOf(policy);
    const found =
      this.#all.find((open) => open.name === name) ?? (await this.#open(name, organizationId, policy));
    found.usedAt = performance.now();
    return found;
  }

  #open(name: string, organizationId: string, { own }: Pick<SenderPolicy, 'own'>): Promise<OpenTransport> {
    const { openOwn } = this.#options;
    if (own === undefined || openOwn === undefined) throw new Error(`This worker has no transport ${name}.`);
    const opening = this.#opening.get(name);
    if (opening !== undefined) return opening;
    if (this.#all.filter(({ isOwn }) => isOwn).length + this.#opening.size >= maxOwn)
      this.closeIdle(shortIdleMs);
    if (this.#all.filter(({ isOwn }) => isOwn).length + this.#opening.size >= maxOwn)
      throw new TransportsFull(`This worker has ${maxOwn} transports of organizations open.`);
    const opened = openOwn(organizationId, own)
      .then((transport) => {
        const open = this.#wrap(name, transport, true);
        this.#all = [...this.#all, open];
        return open;
      })
      .finally(() => this.#opening.delete(name));
    this.#opening.set(name, opened);
    return opened;
  }

  #wrap(name: string, transport: MailTransport, isOwn: boolean): OpenTransport {
    const { waitsMs, onFree } = this.#options;
    const { capacity, hasOneLane = false } = transport;
    return {
      name,
      transport,
      lanes: new Lanes({ capacity, waitsMs, onFree, hasOneLane, isOwn }),
      isOwn,
      freeCapacity: capacity,
      bytesUnderWay: 0,
      accepted: 0,
      usedAt: performance.now(),
      isClosed: false,
    };
  }

  /** Closes those of organizations that have no message, and that no send has asked for within this time. */
  closeIdle(sinceMs = idleMs): void {
    const before = performance.now() - sinceMs;
    for (const open of this.#all) {
      if (!open.isOwn || isBusy(open) || open.lanes.isActive || open.usedAt > before) continue;
      open.isClosed = true;
      void open.transport.close();
    }
    if (this.#all.some(({ isClosed }) => isClosed)) this.#all = this.#all.filter(({ isClosed }) => !isClosed);
  }

  /** Closes those that were opened here. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#opening.values());
    await Promise.all(this.#all.filter(({ isOwn }) => isOwn).map(({ transport }) => transport.close()));
  }

  /** Computes the shares of all lanes. @param batches  of all transports */
  updateLanes(
    batches: Iterable<{
      readonly lane: Lane;
      readonly isOpen: boolean;
      readonly send: { transport: OpenTransport };
    }>,
  ): void {
    for (const { lanes } of this.#all) lanes.reset();
    for (const { send, lane, isOpen } of batches) if (isOpen) send.transport.lanes.activate(lane);
    for (const { lanes } of this.#all) lanes.share();
  }

  get hasCapacity(): boolean {
    return this.#all.some(({ freeCapacity }) => freeCapacity > 0);
  }

  /** @returns how much one may hold of what all share (`shareOf`) */
  shareOf(open: OpenTransport, total: number): number {
    const isActive = (each: OpenTransport) => isBusy(each) || each.lanes.isActive;
    return shareOf(
      open,
      this.#all.filter((each) => each !== open && isActive(each)),
      total,
    );
  }
}

/** One part in this many is for transports of organizations together, while the installation's has messages as well. */
const ownPart = 4;

/**
 * However many transports of organizations there are, and however slow they are, the installation's keeps its part; and one of them
 * never has all.
 * @param others  transports that have messages, beside this one
 * @returns how much of `total` it may hold, at least 1
 */
export function shareOf(
  { isOwn }: Pick<OpenTransport, 'isOwn'>,
  others: readonly Pick<OpenTransport, 'isOwn'>[],
  total: number,
): number {
  const alike = 1 + others.filter((other) => other.isOwn === isOwn).length;
  const share = partOf(isOwn, others.length >= alike, total) / alike;
  return Math.max(1, isOwn ? Math.min(share, total / 2) : share);
}

/** @returns the part of `total` for the transports of organizations, or for the others @param isShared  whether both have messages */
export const partOf = (isOwn: boolean, isShared: boolean, total: number): number =>
  !isShared ? total : isOwn ? total / ownPart : total - total / ownPart;

export const transportNameOf = ({ transport, own }: Pick<SenderPolicy, 'transport' | 'own'>): string =>
  own === undefined ? transport : `${own.id}.${own.version}`;

export const isBusy = ({ freeCapacity, transport }: OpenTransport): boolean =>
  freeCapacity < transport.capacity;

/** Maximum time until a send that waits for a lane is due again, because the lane of another worker may not wait. */
const maxUntilLookMs = 60_000;

/** The lanes of one transport. */
export class Lanes implements Iterable<Lane> {
  readonly #connections: number;
  readonly #hasOneLane: boolean;
  readonly #transportBreaker: TransportBreaker;
  readonly #lanes: ReadonlyMap<RecipientGroup, Lane>;
  /** Lanes with messages to start, as of the last update. */
  readonly #active = new Set<Lane>();
  #wasActive = false;

  /**
   * @param capacity  messages that keep the transport busy
   * @param onFree  called when a wait ends
   * @param hasOneLane  all groups are one
   */
  constructor({
    capacity,
    waitsMs,
    onFree,
    hasOneLane = false,
    isOwn = false,
  }: {
    capacity: number;
    waitsMs: readonly number[];
    onFree: () => void;
    hasOneLane?: boolean;
    isOwn?: boolean;
  }) {
    this.#connections = capacity / 2;
    this.#hasOneLane = hasOneLane;
    this.#transportBreaker = new TransportBreaker(onFree);
    const transportBreaker = this.#transportBreaker;
    const create = (group: RecipientGroup) =>
      new Lane({ group, capacity, transportBreaker, waitsMs, onFree, isOwn, isOfProvider: hasOneLane });
    const only = hasOneLane ? create('other') : undefined;
    this.#lanes = new Map(recipientGroups.map((group) => [group, only ?? create(group)]));
  }

  /** @returns the groups whose messages a lane has */
  groupsOf(lane: Lane): readonly RecipientGroup[] {
    return this.#hasOneLane ? recipientGroups : [lane.group];
  }

  /** Each lane once. */
  [Symbol.iterator](): Iterator<Lane> {
    return new Set(this.#lanes.values()).values();
  }

  /** Whether it had messages to start at the last update. */
  get isActive(): boolean {
    return this.#active.size > 0;
  }

  /** Whether the mail server cannot be reached, so that nothing is started. */
  get isAway(): boolean {
    return this.#transportBreaker.isOpen;
  }

  get(group: RecipientGroup): Lane {
    return this.#lanes.get(group)!;
  }

  /** Begins an update of what is active: each lane with messages to start follows (`activate`), then `share`. */
  reset(): void {
    this.#wasActive = this.isActive;
    this.#active.clear();
  }

  activate(lane: Lane): void {
    this.#active.add(lane);
  }

  /** Computes the share of each lane. Quick lanes share what slow and new ones leave. */
  share(): void {
    const active = this.#active;
    // Most transports of organizations have nothing to do, and this runs after each result.
    if (active.size === 0 && !this.#wasActive) return;
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
    return [...this.#lanes]
      .filter(([, { isWaiting }]) => isWaiting)
      .map(([lane, { waitMs, reason }]) => {
        return { lane, waitMs: Math.ceil(Math.min(waitMs, maxUntilLookMs)), reason };
      });
  }
}
