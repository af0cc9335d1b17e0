import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import type { FoundSend } from '../../queue/due-sends.queries.ts';
import type { WaitingLane } from '../../queue/schedule-send.queries.ts';
import { forgetFailures } from '../../queue/send-failures.queries.ts';
import type { SendKey } from '../../queue/send-statements.ts';
import { completeCancelled, completeOrSchedule } from '../sends/end-send.ts';
import type { ActiveSend } from './active-send.ts';
import type { ActiveSends } from './active-sends.ts';
import type { Batches } from './batches.ts';
import { isLookAtAllDue, type Leaser } from './leaser.ts';
import type { OpenTransports } from './open-transports.ts';
import type { Preparations } from './preparations.ts';
import type { Rates } from './rates.ts';

/** Kinds of work that a look finds. */
export type DueWork = Exclude<FoundSend['work'], 'held'>;
/** Kinds of work that lease messages of a send. */
type Messages = Exclude<DueWork, 'prepare' | 'end' | 'rest'>;

export interface WorkTakerOptions {
  db: Database;
  active: ActiveSends;
  batches: Batches;
  transports: OpenTransports;
  rates: Pick<Rates, 'waiting'>;
  leaser: Leaser;
  preparations: Preparations;
}

/** Does the due work of one send, up to the free capacity. */
export class WorkTaker {
  readonly #options: WorkTakerOptions;

  constructor(options: WorkTakerOptions) {
    this.#options = options;
  }

  /** @returns the send if there may be more to lease */
  async take(ref: SendKey, work: DueWork): Promise<ActiveSend | undefined> {
    const { active, preparations, batches } = this.#options;
    const known = active.find(ref.sendId);
    switch (work) {
      case 'prepare':
        preparations.begin(ref);
        return undefined;
      case 'end':
        await this.#change(ref, (trx) => completeCancelled(trx, ref));
        return undefined;
      case 'rest': {
        if (known !== undefined && batches.of(known).length > 0) return undefined;
        const [unclear] = known?.unclearLeases ?? [];
        if (unclear !== undefined) return await this.#begin(ref, unclear);
        await this.#schedule(ref, known);
        return undefined;
      }
      default:
        if (this.#hasRoom(ref, work, known)) return await this.#begin(ref, work);
        batches.isCrowded = true;
        return undefined;
    }
  }

  /**
   * Leases the next chunk of a send, or ends the send when nothing is left. While other sends are waiting for capacity,
   * their chunks come first.
   * @returns like `take`
   */
  async takeNext(send: ActiveSend): Promise<ActiveSend | undefined> {
    if (send.isSingle) return await this.#lease(send, 'queued');
    return await this.#lease(send, this.#options.batches.isCrowded ? 'nothing' : 'chunk');
  }

  async #begin(ref: SendKey, work: Messages): Promise<ActiveSend | undefined> {
    const send = await this.#options.active.load(ref);
    if (send === undefined) return undefined;
    if (this.#options.batches.of(send).length === 0 || isLookAtAllDue(send)) send.emptyLanes.clear();
    const more = await this.#lease(send, work === 'queued' || send.isSingle ? 'queued' : 'chunk');
    if (!send.hasLeased) {
      await this.#change(ref, (trx) => forgetFailures(trx, ref.sendId));
      send.hasLeased = true;
    }
    return more;
  }

  /** The lists are served in turn: work that has no capacity now comes first when there is some. */
  #hasRoom(ref: SendKey, work: Messages, known: ActiveSend | undefined): boolean {
    const { batches } = this.#options;
    if (work === 'single') return true;
    if (work !== 'queued')
      return batches.places.hasOneFor(
        known ?? { ref, slowness: 0 },
        work === 'new' && known?.hasLeased !== true,
      );
    const inFlight = batches.inFlightOf(known);
    const isFree = inFlight.freeQueuedSlots > 0;
    inFlight.hasQueuedWaiting = !isFree;
    return isFree;
  }

  /** Leases messages of a send. If the worker holds none of it afterwards, the send ends or is due again later. */
  async #lease(send: ActiveSend, what: 'queued' | 'chunk' | 'nothing'): Promise<ActiveSend | undefined> {
    const { batches, leaser } = this.#options;
    const { lanes, isClosed } = send.transport;
    if (send.isPausing || isClosed || lanes.isAway || !leaser.canLease) return undefined;
    const hadBatches = batches.of(send).length > 0;
    if (what === 'queued' && (await leaser.leaseQueued(send))) return undefined;
    if (what === 'chunk') {
      const free = leaser.lanesFor(send);
      if (free.length === 0 && !batches.places.hasOneFor(send, !send.hasLeased)) return undefined;
      // Another lane may have a chunk, too.
      if (free.length > 0 && (await leaser.leaseChunk(send, free))) return send;
    }
    if (!hadBatches && batches.of(send).length === 0) await this.#schedule(send.ref, send);
    return undefined;
  }

  /** Ends or schedules a send. Lanes that wait, or for which a rate limit is reached, are passed as waiting. */
  async #schedule(ref: SendKey, send: ActiveSend | undefined): Promise<void> {
    const { transports, rates } = this.#options;
    const limited = send === undefined ? [] : rates.waiting(send);
    // `scheduleSend` uses the first wait of a lane, so the longest one has to come first.
    // The transport of a send that this worker has not loaded is unknown: no organization waits for that of another one.
    const possible = send === undefined ? transports.all.filter(({ isOwn }) => !isOwn) : [send.transport];
    const waits = possible.flatMap(({ lanes }) => lanes.waiting());
    const waiting: WaitingLane[] = [...waits, ...limited].toSorted((one, other) => other.waitMs - one.waitMs);
    await this.#change(ref, (trx) => completeOrSchedule(trx, ref, waiting));
  }

  async #change(ref: SendKey, change: (trx: Transaction) => Promise<void>): Promise<void> {
    await inOrganization(this.#options.db, ref.organizationId, change);
  }
}
