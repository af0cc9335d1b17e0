import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import type { MailTransport } from '../../email/transports/transport.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import type { SendRates } from '../../platform/config.ts';
import { isDatabaseAway } from '../../platform/database/is-database-away.ts';
import type { Log } from '../../platform/log.ts';
import type { Metric } from '../../platform/metrics/metric.ts';
import type { WorkerHeartbeat } from '../../platform/worker-heartbeat.ts';
import { pauseOnErrors } from '../sends/change-send.ts';
import { clearSendError, recordSendError } from '../queue/send-failures.queries.ts';
import type { SendKey } from '../queue/send-statements.ts';
import type { ActiveSend } from './active-send.ts';
import type { Batch } from './batch.ts';
import { Batches } from './batches.ts';
import { Dispatcher } from './dispatcher.ts';
import { laneWaitsMs } from './lane-pressure.ts';
import { Lanes } from './lanes.ts';
import { Leaser } from './leaser.ts';
import { Rates } from './rates.ts';
import { Preparations } from './preparations.ts';
import type { LoadOptions } from './load-send.ts';
import { ResultStore } from './result-store.ts';
import { collectSendMetrics } from './send-metrics.ts';
import { tryRecovered } from './try-recovered.ts';
import { WorkFinder } from './work-finder.ts';

export interface SendWorkerOptions {
  db: Database;
  /** For audience snapshots, which take seconds to minutes. */
  prepareDb: Database;
  /** For what runs many times a second: taking and storing deliveries. */
  pipelined: PipelinedDatabase;
  log: Log;
  heartbeat: Pick<WorkerHeartbeat, 'id'>;
  transport: MailTransport;
  load: LoadOptions;
  /** Most messages under way without a stored result. */
  inFlightLimit: number;
  sendRates: SendRates;
  /** Of the leaser; its own if unset. */
  minQueuedLeaseMs?: number;
  /** How long a lane waits that is throttled, and again and again; default: 1, 5, 15, 60 minutes. */
  laneWaitsMs?: readonly number[];
}

/**
 * Sends the due messages of all organizations, round robin. Every message is marked in the database, committed,
 * before it may leave, and its result is stored right after; at most `inFlightLimit` messages are between the two.
 * @see docs/sending.md for a picture of the parts
 */
export class SendWorker {
  readonly #options: SendWorkerOptions;
  readonly #batches: Batches;
  readonly #dispatcher: Dispatcher;
  readonly #rates: Rates;
  readonly #store: ResultStore;
  readonly #leaser: Leaser;
  readonly #preparations: Preparations;
  readonly #finder: WorkFinder;
  readonly #stopping = new AbortController();
  readonly collectMetrics: () => Metric[];
  #onIdle: () => void = () => undefined;

  constructor(options: SendWorkerOptions) {
    const { db, prepareDb, pipelined, log, heartbeat, transport, load, inFlightLimit } = options;
    this.#options = options;
    const onFree = () => {
      this.#finder.wake();
      this.#advance();
    };
    const rates = new Rates({ db, rates: options.sendRates, onResponse: () => this.#advance(), onFree });
    this.#rates = rates;
    const batches = new Batches(inFlightLimit, rates);
    const lanes = new Lanes({
      capacity: transport.capacity,
      waitsMs: options.laneWaitsMs ?? laneWaitsMs,
      onFree,
    });
    const onProgress = () => this.#advance();
    const onIdle = () => this.#checkIdle();
    this.#batches = batches;
    this.#dispatcher = new Dispatcher({
      transport,
      log,
      batches,
      lanes,
      rates,
      onProgress,
      onTrouble: (batch, reason) => void this.#pause(batch, reason),
      onAway: ({ ref }, reason) => this.#note(ref, (trx) => recordSendError(trx, ref.sendId, reason)),
      onBack: ({ ref }) => this.#note(ref, (trx) => clearSendError(trx, ref.sendId)),
    });
    this.#store = new ResultStore({
      pipelined,
      log,
      heartbeat,
      batches,
      // The transport lets as many texts leave as it has connections, and no more before results are stored.
      storeAt: Math.ceil((Math.min(inFlightLimit, transport.capacity / 2) * 3) / 4),
      onProgress,
      onStored: ({ send, lane }) => batches.places.needsNextChunk(send, lane) && this.#finder.next(send),
      onEnd: ({ send }) => {
        this.#finder.next(send);
        this.#checkIdle();
      },
    });
    this.#leaser = new Leaser({
      pipelined,
      log,
      batches,
      rates,
      minQueuedLeaseMs: options.minQueuedLeaseMs,
      lanes,
      onLeased: onProgress,
      onRecovered: (send) => void this.#tryRecovered(send),
    });
    this.#preparations = new Preparations({
      db: prepareDb,
      relay: load.relay,
      log,
      onFailure: (ref) => this.#finder.recordFailure(ref),
      onEnd: () => {
        // Its place is free.
        this.#finder.wake();
        onIdle();
      },
    });
    this.#finder = new WorkFinder({
      db,
      log,
      load,
      heartbeat,
      batches,
      lanes,
      rates,
      leaser: this.#leaser,
      preparations: this.#preparations,
      onIdle,
    });
    const [store, finder] = [this.#store, this.#finder];
    this.collectMetrics = () => collectSendMetrics({ transport, batches, lanes, rates, store, finder });
    this.#finder.wake();
  }

  /** When the last look for work found the database; `Date.now()`. */
  get lastLookAt(): number | undefined {
    return this.#finder.lastLookAt;
  }

  /** Looks for work now. */
  wake(): void {
    this.#finder.wake();
  }

  /** Starts nothing more, stores what is under way, gives the rest back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#finder.stop();
    const idle = new Promise<void>((resolve) => (this.#onIdle = resolve));
    this.#advance();
    this.#store.storeAll();
    this.#checkIdle();
    await idle;
    this.#store.close();
    this.#leaser.close();
    await this.#rates.close();
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #advance(): void {
    if (this.#isStopping) for (const batch of this.#batches) batch.isStopping = true;
    this.#dispatcher.start();
    this.#store.storeDue();
  }

  #checkIdle(): void {
    const isBusy = this.#batches.size > 0 || this.#finder.isRunning || this.#preparations.size > 0;
    if (this.#isStopping && !isBusy) this.#onIdle();
  }

  /** For the screen alone: a note that is lost changes nothing. */
  #note({ organizationId }: SendKey, write: (trx: Transaction) => Promise<void>): void {
    inOrganization(this.#options.db, organizationId, write).catch(() => undefined);
  }

  /** Tried again with the next failure of the send where it fails, for instance because a person holds the campaign. */
  async #pause(batch: Batch, reason: SendError): Promise<void> {
    batch.isStopping = true;
    const { send } = batch;
    if (send.isPausing) return;
    send.isPausing = true;
    const { db, log } = this.#options;
    const { organizationId, sendId } = send.ref;
    try {
      await inOrganization(db, organizationId, (trx) => pauseOnErrors(trx, sendId, reason));
      send.health.reset();
    } catch (error) {
      log.error({ err: error, send: sendId }, 'send could not be paused');
    } finally {
      send.isPausing = false;
    }
  }

  /** Beside everything else; what was built without harm is due like any other queued message. */
  async #tryRecovered(send: ActiveSend): Promise<void> {
    if (send.isTrying || this.#isStopping) return;
    send.isTrying = true;
    const { db, pipelined, load, log } = this.#options;
    try {
      await tryRecovered({ db, pipelined, load }, send, this.#stopping.signal);
      this.#finder.wake();
    } catch (error) {
      if (this.#isStopping) return;
      log.error({ err: error, send: send.ref.sendId }, 'messages of a worker that died could not be tried');
      if (!isDatabaseAway(error)) await this.#finder.recordFailure(send.ref);
    } finally {
      send.isTrying = false;
    }
  }
}
