import { sendCan } from '@reachout/contract/states/send.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { isDatabaseAway } from '../../platform/database/is-database-away.ts';
import type { Log } from '../../platform/log.ts';
import type { WorkerHeartbeat } from '../../platform/worker-heartbeat.ts';
import { recordFailure } from '../sends/change-send.ts';
import { completeCancelled, completeOrSchedule } from '../sends/end-send.ts';
import { forgetFailures } from '../queue/send-failures.queries.ts';
import { findDueSends, type FoundSend } from '../queue/due-sends.queries.ts';
import type { WaitingLane } from '../queue/schedule-send.queries.ts';
import type { SendKey } from '../queue/send-statements.ts';
import type { ActiveSend } from './active-send.ts';
import type { Batches } from './batches.ts';
import type { Lanes } from './lanes.ts';
import type { Leaser } from './leaser.ts';
import { loadActiveSend, type LoadOptions } from './load-send.ts';
import type { Preparations } from './preparations.ts';
import type { Rates } from './rates.ts';
import { summarize } from './due-summary.ts';

/** How often the worker looks for work by itself; work that it is notified of is taken at once. */
const pollMs = 1_000;
/** Sends of each list of a look (`due_sends`), beside those that the worker has. */
const maxPerList = 16;
/** Then the next look follows at once: sends that became due meanwhile do not wait behind hundreds of others. */
const maxLookMs = 100;
/** A compiled email has 10 kB to 100 kB. */
const maxActive = 100;

/** What is taken of a send. */
type Work = Exclude<FoundSend['work'], 'prepare' | 'end' | 'rest' | 'held'>;

export interface WorkFinderOptions {
  db: Database;
  log: Log;
  load: LoadOptions;
  heartbeat: Pick<WorkerHeartbeat, 'id'>;
  batches: Batches;
  lanes: Lanes;
  rates: Pick<Rates, 'waiting'>;
  leaser: Leaser;
  preparations: Preparations;
  /** A look for work is over. */
  onIdle: () => void;
}

/**
 * Looks for sends that are due, and takes of each what there is room for. One look at a time, so that two of them cannot
 * take the same room. Not a poller: sends that ask for their next chunk come between two looks.
 */
export class WorkFinder {
  readonly #options: WorkFinderOptions;
  readonly #active = new Map<string, ActiveSend>();
  readonly #wanted = new Set<ActiveSend>();
  /** `Date.now()`. */
  lastLookAt: number | undefined;
  looks = 0;
  failedLooks = 0;
  /** What the last look found. */
  due = summarize([]);
  #isPollWanted = false;
  #isStopping = false;
  #running: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(options: WorkFinderOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.wake(), pollMs);
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Looks for due sends now. */
  wake(): void {
    this.#isPollWanted = true;
    this.#run();
  }

  /** Takes what comes next of a send that the worker has; without a look at the others, unless they wait for room. */
  next(send: ActiveSend): void {
    this.#wanted.add(send);
    if (this.#options.batches.isCrowded) this.#isPollWanted = true;
    this.#run();
  }

  /** Begins nothing more. */
  stop(): void {
    this.#isStopping = true;
    clearInterval(this.#timer);
  }

  /** What fails again and again has an end; a database that is away is no failure of the send. */
  async recordFailure({ organizationId, sendId }: SendKey): Promise<void> {
    const { db, log } = this.#options;
    const active = this.#active.get(sendId);
    if (active !== undefined) active.hasLeased = false;
    await inOrganization(db, organizationId, (trx) => recordFailure(trx, sendId)).catch((error: unknown) =>
      log.error({ err: error, send: sendId }, 'failure of a send could not be noted'),
    );
  }

  #run(): void {
    this.#running ??= this.#runLoop().finally(() => {
      this.#running = undefined;
      this.#options.onIdle();
    });
  }

  async #runLoop(): Promise<void> {
    while (!this.#isStopping && (this.#isPollWanted || this.#wanted.size > 0)) {
      try {
        await this.#serveWanted();
        if (this.#isPollWanted) {
          this.#isPollWanted = false;
          await this.#poll();
        }
      } catch (error) {
        this.#options.log.warn({ err: error }, 'send worker could not look for work');
      }
    }
  }

  /** For sends that run out of recipients: these come first, or connections would stand idle. */
  async #serveWanted(): Promise<void> {
    // Those that come meanwhile wait for their turn, or there would be no look at the others.
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    for (const send of wanted) {
      if (this.#active.get(send.ref.sendId) === send)
        await this.#guard(send.ref, () => this.#take(send, 'next'));
    }
  }

  async #poll(): Promise<void> {
    const { heartbeat, leaser, batches, preparations } = this.#options;
    const held = [...this.#active.keys()];
    const limits = { toPrepare: preparations.room, perList: maxPerList + held.length };
    const found = await this.#find(limits, held);
    this.#dropStopped(found);
    await leaser.changeWorkerId(heartbeat.id);
    batches.isCrowded = false;
    batches.hasQueuedWaiting &&= found.some(({ work }) => work === 'queued');
    const begunAt = performance.now();
    for (const { work, ...send } of interleave(found)) {
      if (work === 'held') continue;
      if (performance.now() - begunAt > maxLookMs) {
        this.#isPollWanted = true;
        return;
      }
      if (this.#isStopping || heartbeat.id === undefined || heartbeat.id !== leaser.workerId) return;
      const ref = { organizationId: send.organization_id, sendId: send.send_id };
      await this.#guard(ref, () => this.#process(ref, work));
      // A look at many sends takes a while.
      await this.#serveWanted();
    }
  }

  async #find(limits: { toPrepare: number; perList: number }, held: string[]): Promise<FoundSend[]> {
    try {
      const found = await findDueSends(this.#options.db, limits, held);
      this.lastLookAt = Date.now();
      this.looks += 1;
      this.due = summarize(found);
      return found;
    } catch (error) {
      this.failedLooks += 1;
      throw error;
    }
  }

  /** Paused, cancelled, or its organization is suspended. */
  #dropStopped(found: FoundSend[]): void {
    const sending = new Set(found.filter(sendCan.deliver).map(({ send_id }) => send_id));
    for (const batch of this.#options.batches)
      if (!sending.has(batch.send.ref.sendId)) batch.isStopping = true;
    for (const id of this.#active.keys()) if (!sending.has(id)) this.#active.delete(id);
  }

  async #guard(ref: SendKey, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.log.error({ err: error, send: ref.sendId }, 'send could not go on');
      if (!isDatabaseAway(error)) await this.recordFailure(ref);
    }
  }

  async #process(ref: SendKey, work: Exclude<FoundSend['work'], 'held'>): Promise<void> {
    const { db, load, preparations, batches } = this.#options;
    if (work === 'prepare') return preparations.begin(ref);
    if (work === 'end')
      return await inOrganization(db, ref.organizationId, (trx) => completeCancelled(trx, ref));
    const known = this.#active.get(ref.sendId);
    if (work === 'rest') {
      if (known !== undefined && batches.of(known).length > 0) return;
      return await inOrganization(db, ref.organizationId, (trx) =>
        completeOrSchedule(trx, ref, this.#waiting(known)),
      );
    }
    if (!this.#hasRoom(ref, work, known)) {
      batches.isCrowded = true;
      return;
    }
    const active = known ?? (await loadActiveSend(db, load, ref));
    if (active === undefined) return;
    this.#keep(active);
    await this.#take(active, work);
    if (active.hasLeased) return;
    await inOrganization(db, ref.organizationId, (trx) => forgetFailures(trx, ref.sendId));
    active.hasLeased = true;
  }

  /** Each list is in turn: what has no room now comes first when there is some. */
  #hasRoom(ref: SendKey, work: Work, known: ActiveSend | undefined): boolean {
    const { batches } = this.#options;
    if (work === 'single') return true;
    if (work !== 'queued')
      return batches.places.hasOneFor(
        known ?? { ref, slowness: 0 },
        work === 'new' && known?.hasLeased !== true,
      );
    const isFree = batches.freeQueuedSlots > 0;
    batches.hasQueuedWaiting = !isFree;
    return isFree;
  }

  /** Keeps it for its next queued messages, too; of sends that only wait, as many as are worth their memory. */
  #keep(active: ActiveSend): void {
    this.#active.delete(active.ref.sendId);
    this.#active.set(active.ref.sendId, active);
    if (this.#active.size <= maxActive) return;
    for (const [id, send] of this.#active) {
      if (this.#options.batches.of(send).length > 0) continue;
      this.#active.delete(id);
      return;
    }
  }

  /** Takes queued messages that are due or a chunk, as far as there is room; ends the send when nothing is left. */
  async #take(send: ActiveSend, work: Work | 'next'): Promise<void> {
    const { db, batches, lanes, leaser } = this.#options;
    if (send.isPausing || lanes.isAway || leaser.workerId === undefined) return;
    const hadBatches = batches.of(send).length > 0;
    if (work !== 'next') send.emptyLanes.clear();
    const isQueued = work === 'queued' || send.isSingle;
    const hasQueued = isQueued && (await leaser.leaseQueued(send));
    // While sends wait for room, the next chunk of this one is behind them.
    if (!isQueued && !(work === 'next' && batches.isCrowded)) {
      const free = leaser.lanesFor(send);
      if (free.length === 0 && !batches.places.hasOneFor(send, !send.hasLeased)) return;
      if (free.length > 0 && (await leaser.leaseChunk(send, free))) {
        // One of another lane, perhaps.
        this.#wanted.add(send);
        return;
      }
    }
    if (hasQueued || hadBatches || batches.of(send).length > 0) return;
    await inOrganization(db, send.ref.organizationId, (trx) =>
      completeOrSchedule(trx, send.ref, this.#waiting(send)),
    );
  }

  /** Lanes of which nothing of the send is taken for now, the longest wait of a lane first. */
  #waiting(send: ActiveSend | undefined): WaitingLane[] {
    const { lanes, rates } = this.#options;
    const limited = send === undefined ? [] : rates.waiting(send);
    return [...lanes.waiting(), ...limited].toSorted((one, other) => other.waitMs - one.waitMs);
  }
}

/** The first of each list, then the second ones, and so on: a look that ends early has come to all lists. */
function interleave(found: FoundSend[]): FoundSend[] {
  const lists = new Map<FoundSend['work'], number>();
  const places = found.map((send) => {
    const place = lists.get(send.work) ?? 0;
    lists.set(send.work, place + 1);
    return { send, place };
  });
  return places.toSorted((one, other) => one.place - other.place).map(({ send }) => send);
}
