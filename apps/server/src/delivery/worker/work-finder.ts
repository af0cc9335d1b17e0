import { sendCan } from '@reachout/contract/states/send.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { WorkerHeartbeat } from '../../platform/worker-heartbeat.ts';
import type { ActiveSend } from './active-send.ts';
import type { ActiveSends } from './active-sends.ts';
import type { Batches } from './batches.ts';
import { DueLists } from './due-lists.ts';
import type { LeaseRenewer } from './lease-renewer.ts';
import type { OpenTransports } from './open-transports.ts';
import type { Preparations } from './preparations.ts';
import type { FailureRecorder } from './recoveries.ts';
import type { WorkTaker } from './work-taker.ts';

/** Interval at which the worker looks for work by itself; notified work is handled at once. */
const pollMs = 1_000;
/** After this time the next look follows at once, so that newly due sends do not wait behind hundreds of others. */
const maxLookMs = 100;

export interface WorkFinderOptions {
  db: Database;
  log: Log;
  heartbeat: Pick<WorkerHeartbeat, 'id'>;
  active: ActiveSends;
  batches: Batches;
  failures: FailureRecorder;
  preparations: Preparations;
  renewer: LeaseRenewer;
  taker: WorkTaker;
  transports: OpenTransports;
  /** Called when a look for work is over. */
  onIdle: () => void;
}

/**
 * Looks for due sends, and leases messages of each up to the free capacity. Only one look runs at a time, so that two cannot
 * use the same capacity. It does not use a poller: sends that need their next chunk are served between two looks.
 */
export class WorkFinder {
  readonly #options: WorkFinderOptions;
  /** Sends of which more should be leased. */
  readonly #wanted = new Set<ActiveSend>();
  readonly lists: DueLists;
  #isPollWanted = false;
  #isStopping = false;
  #running: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(options: WorkFinderOptions) {
    this.#options = options;
    this.lists = new DueLists(options.db);
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

  /** Leases the next messages of a loaded send, without a look at other sends unless these are waiting for capacity. */
  next(send: ActiveSend): void {
    this.#wanted.add(send);
    if (this.#options.batches.isCrowded) this.#isPollWanted = true;
    this.#run();
  }

  /** Starts nothing more. */
  stop(): void {
    this.#isStopping = true;
    clearInterval(this.#timer);
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

  /** Serves sends that are running out of recipients. They come first, or connections would be idle. */
  async #serveWanted(): Promise<void> {
    const { active, failures, taker } = this.#options;
    // Sends added in the meantime wait for the next round, or there would be no look at the others.
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    for (const send of wanted)
      if (active.has(send))
        await failures.guard(send.ref, async () => this.#want(await taker.takeNext(send)));
  }

  async #poll(): Promise<void> {
    const { heartbeat, active, batches, failures, preparations, renewer, taker, transports } = this.#options;
    const found = await this.lists.look(active.ids, preparations);
    active.stopAllBut(new Set(found.filter(sendCan.deliver).map(({ send_id }) => send_id)));
    for (const send of active.listUnseen()) await failures.guard(send.ref, () => active.followSender(send));
    transports.closeIdle();
    await renewer.changeWorkerId(heartbeat.id);
    batches.isCrowded = false;
    const hasQueued = found.some(({ work }) => work === 'queued');
    for (const each of [batches.inFlight, batches.inFlightOfOwn]) each.hasQueuedWaiting &&= hasQueued;
    const begunAt = performance.now();
    for (const { work, ...send } of found) {
      if (work === 'held') continue;
      if (performance.now() - begunAt > maxLookMs) {
        this.#isPollWanted = true;
        return;
      }
      if (this.#isStopping || heartbeat.id === undefined || heartbeat.id !== renewer.workerId) return;
      const ref = { organizationId: send.organization_id, sendId: send.send_id };
      await failures.guard(ref, async () => this.#want(await taker.take(ref, work)));
      // A look at many sends takes a while, so running sends are served in between.
      await this.#serveWanted();
    }
  }

  #want(send: ActiveSend | undefined): void {
    if (send !== undefined) this.#wanted.add(send);
  }
}
