import { sendCan } from '@reachout/contract/states/send.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { WorkerHeartbeat } from '../../platform/worker-heartbeat.ts';
import type { ActiveSend } from './active-send.ts';
import type { ActiveSends } from './active-sends.ts';
import type { Batches } from './batches.ts';
import { DueLists } from './due-lists.ts';
import type { FailureRecorder } from './failure-recorder.ts';
import type { LeaseRenewer } from './lease-renewer.ts';
import type { Preparations } from './preparations.ts';
import type { WorkTaker } from './work-taker.ts';

/** How often the worker looks for work by itself; work that it is notified of is taken at once. */
const pollMs = 1_000;
/** Then the next look follows at once: sends that became due meanwhile do not wait behind hundreds of others. */
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
  /** A look for work is over. */
  onIdle: () => void;
}

/**
 * Looks for sends that are due, and takes of each what there is room for. One look at a time, so that two of them cannot
 * take the same room. Not a poller: sends that ask for their next chunk come between two looks.
 */
export class WorkFinder {
  readonly #options: WorkFinderOptions;
  /** Sends of which more is to be taken. */
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
    const { active, failures, taker } = this.#options;
    // Those that come meanwhile wait for their turn, or there would be no look at the others.
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    for (const send of wanted)
      if (active.has(send))
        await failures.guard(send.ref, async () => this.#want(await taker.takeNext(send)));
  }

  async #poll(): Promise<void> {
    const { heartbeat, active, batches, failures, preparations, renewer, taker } = this.#options;
    const found = await this.lists.look(active.ids, preparations.room);
    active.stopAllBut(new Set(found.filter(sendCan.deliver).map(({ send_id }) => send_id)));
    await renewer.changeWorkerId(heartbeat.id);
    batches.isCrowded = false;
    batches.inFlight.hasQueuedWaiting &&= found.some(({ work }) => work === 'queued');
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
      // A look at many sends takes a while.
      await this.#serveWanted();
    }
  }

  #want(send: ActiveSend | undefined): void {
    if (send !== undefined) this.#wanted.add(send);
  }
}
