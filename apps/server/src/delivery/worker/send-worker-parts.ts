import { sendError } from '@reachout/contract/rules/send-errors.ts';
import type { MailTransport } from '../../email/transports/transport.ts';
import type { SendRates } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import type { Log } from '../../platform/log.ts';
import type { WorkerHeartbeat } from '../../platform/worker-heartbeat.ts';
import { failuresToGiveUp } from '../sends/change-send.ts';
import { ActiveSends } from './active-sends.ts';
import { BatchCommitter } from './batch-committer.ts';
import { Batches } from './batches.ts';
import { AttemptRecorder, Dispatcher } from './dispatcher.ts';
import { SenderChecks } from './find-sender.ts';
import { laneWaitsMs } from './lane-pace.ts';
import { LeaseRenewer } from './lease-renewer.ts';
import { Leaser } from './leaser.ts';
import type { LoadOptions } from './load-send.ts';
import { MessageBuilder } from './message-builder.ts';
import { OpenTransports, type OpenOwn } from './open-transports.ts';
import { Preparations } from './preparations.ts';
import { Rates } from './rates.ts';
import { FailureRecorder, Recoveries } from './recoveries.ts';
import { ResultStore } from './result-store.ts';
import { SendNotes } from './send-notes.ts';
import { WorkFinder } from './work-finder.ts';
import { WorkTaker } from './work-taker.ts';

export interface SendWorkerOptions {
  db: Database;
  /** For audience snapshots, which take seconds to minutes. */
  prepareDb: Database;
  /** For statements that run many times a second: leasing deliveries and storing results. */
  pipelined: PipelinedDatabase;
  /** What events of bounces cause. */
  log: Log;
  heartbeat: Pick<WorkerHeartbeat, 'id'>;
  /** By the name that sender policies use. */
  transports: Readonly<Record<string, MailTransport>>;
  /** Opens those of organizations. */
  openOwn?: OpenOwn | undefined;
  load: LoadOptions;
  /** Maximum messages in flight without a stored result. */
  inFlightLimit: number;
  sendRates: SendRates;
  /** Passed to the leaser, which has a default. */
  minQueuedLeaseMs?: number;
  /** Passed to the lease renewer, which has a default. */
  renewMs?: number;
  /** Successive waits of a lane that is throttled repeatedly; default: 1, 5, 15, 60 minutes. */
  laneWaitsMs?: readonly number[];
}

export interface PartEvents {
  /** More messages may start, and results may be due to be stored. */
  onProgress: () => void;
  /** A wait ended: more messages may be started and leased. */
  onFree: () => void;
  /** Something ended that the worker waits for when it stops. */
  onIdle: () => void;
}

type Limits = ReturnType<typeof createLimits>;

/** Creates the parts that limit the messages in progress. */
export function createLimits(
  { db, inFlightLimit, sendRates, ...options }: SendWorkerOptions,
  { onProgress, onFree }: PartEvents,
) {
  const waitsMs = options.laneWaitsMs ?? laneWaitsMs;
  const rates = new Rates({
    db,
    rates: sendRates,
    onResponse: onProgress,
    // Each limit has one such wait a second, and not every one is worth a look for work.
    onShortWait: () => (batches.isCrowded ? onFree() : onProgress()),
    onLongWait: onFree,
  });
  const batches: Batches = new Batches(inFlightLimit, rates);
  const transports = new OpenTransports(options.transports, { waitsMs, onFree, openOwn: options.openOwn });
  return { rates, transports, batches };
}

/** Creates the parts that turn due sends into batches. */
export function createFinder(
  { db, prepareDb, pipelined, log, heartbeat, load, minQueuedLeaseMs, renewMs }: SendWorkerOptions,
  { rates, transports, batches }: Limits,
  { onProgress, onIdle }: PartEvents,
) {
  const wake = () => finder.wake();
  const senderChecks = new SenderChecks({ policies: load.policies, onEnd: wake });
  const active = new ActiveSends({ db, load, transports, batches, senderChecks });
  const failures = new FailureRecorder({ db, log, active });
  const recoveries = new Recoveries({ db, pipelined, log, failures, onEnd: wake });
  const renewer = new LeaseRenewer({ pipelined, log, batches, renewMs });
  const leaser = new Leaser({
    pipelined,
    renewer,
    batches,
    rates,
    minQueuedLeaseMs,
    onLeased: onProgress,
    onRecovered: (send) => recoveries.start(send),
  });
  const preparations = new Preparations({
    db: prepareDb,
    policies: load.policies,
    log,
    onFailure: (ref) => failures.record(ref),
    onEnd: () => {
      // The place is free again.
      wake();
      onIdle();
    },
  });
  const taker = new WorkTaker({ db, active, batches, transports, rates, leaser, preparations });
  const sources = { active, failures, preparations, renewer, taker };
  const finder: WorkFinder = new WorkFinder({ db, log, heartbeat, batches, transports, ...sources, onIdle });
  return { finder, renewer, preparations, recoveries };
}

/** Creates the parts that turn batches into stored results. */
export function createDelivery(
  { db, pipelined, log, heartbeat, inFlightLimit }: SendWorkerOptions,
  { rates, transports, batches }: Limits,
  finder: WorkFinder,
  { onProgress, onIdle }: PartEvents,
) {
  const notes = new SendNotes({ db, log });
  const builder = new MessageBuilder({ log, batches, notes, onFree: onProgress });
  const recorder = new AttemptRecorder({ batches, rates, notes });
  const dispatcher = new Dispatcher({
    transports,
    batches,
    rates,
    builder,
    recorder,
    notes,
    onProgress,
  });
  const committer = new BatchCommitter({
    pipelined,
    log,
    heartbeat,
    batches,
    onProgress,
    // The counters may be what is wrong, so the pause must not need them.
    onRefused: (batch) =>
      void notes.pause(batch, sendError('unexpected_paused', { count: failuresToGiveUp }), {
        isCounted: false,
      }),
    onStored: ({ send, lane }) => batches.places.needsNextChunk(send, lane) && finder.next(send),
    onEnd: ({ send }) => {
      finder.next(send);
      onIdle();
    },
  });
  const store = new ResultStore({ heartbeat, batches, committer, transports, inFlightLimit });
  return { dispatcher, store, committer, notes };
}
