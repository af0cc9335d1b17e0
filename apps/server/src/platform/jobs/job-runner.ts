import type { Database } from '../database/database.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { createPoller } from '../poller.ts';
import type { WorkerHeartbeat } from '../worker-heartbeat.ts';
import type { JobHandler } from './job-kind.ts';
import { insertJob } from './jobs.queries.ts';
import { freeLostJobs, leaseJobs } from './leases.queries.ts';
import { RunningJobs } from './running-jobs.ts';

export interface JobRunnerOptions {
  /** Logs in as `reachout_auth`, which sees the jobs of all organizations. Two connections suffice. */
  db: Database;
  log: Log;
  heartbeat: Pick<WorkerHeartbeat, 'id'>;
  /** One per kind. Jobs of other kinds are left to other workers. */
  handlers: readonly JobHandler[];
}

export interface JobRunner {
  /** When it last polled for jobs successfully; `Date.now()`. */
  readonly lastLookAt: number | undefined;
  /** Number of jobs that ended well, without recurring ones. */
  readonly finishedCount: number;
  /** Polls for jobs now, in addition to once per second. */
  wake: () => void;
  /** Leases no more jobs, aborts the running ones and waits for them to end. */
  stop: () => Promise<void>;
  /** Makes the jobs that have not ended after `stop` due for other workers; their transactions then fail. */
  giveBack: () => Promise<void>;
}

const pollMs = 1_000;
/** One third of the lease duration. */
const renewMs = 20_000;
/** Organizations whose round-robin position is kept; a longer list would make each poll too expensive. */
const maxServed = 100;

/** Runs the jobs of one worker. Any number of workers can run concurrently. */
export function createJobRunner({ db, log, heartbeat, handlers }: JobRunnerOptions): JobRunner {
  const handlerOf = new Map(handlers.map((handler) => [handler.kind.name, handler]));
  const running = new RunningJobs({ db, log, onEnd: () => poller.wake() });
  /** The organization that was served last is at the end. */
  const served = new Set<string>();
  /** The id under which the leases are held. */
  let leasedAs: number | undefined;
  let isScheduled = false;

  const poller = createPoller({ name: 'jobs', everyMs: pollMs, log, work: look });

  /** Polls run one at a time, so that this worker always knows which leases it holds. */
  async function look(stopping: AbortSignal): Promise<void> {
    const workerId = heartbeat.id;
    if (workerId === undefined) return;
    if (!isScheduled) await scheduleJobs(db, handlers);
    isScheduled = true;
    if (leasedAs !== workerId) await renew(workerId);
    await freeLostJobs(db, workerId, running.leaseTokens);
    const free = handlers
      .map(({ kind: { name: kind }, concurrency, perOrganization }) => ({
        kind,
        slots: concurrency - running.countOf(kind),
        perOrganization,
      }))
      .filter(({ slots }) => slots > 0);
    if (free.length === 0 || stopping.aborted) return;
    for (const row of await leaseJobs(db, workerId, free, [...served])) {
      if (row.organization_id !== null) moveToEnd(served, row.organization_id);
      running.start(handlerOf.get(row.kind)!, row);
    }
  }

  async function renew(workerId: number): Promise<void> {
    await running.renew(workerId);
    leasedAs = workerId;
  }

  const renewals = setInterval(() => {
    if (heartbeat.id === undefined) return;
    renew(heartbeat.id).catch((error: unknown) => log.warn({ err: error }, 'jobs cannot be kept'));
  }, renewMs);
  renewals.unref();

  return {
    get lastLookAt() {
      return poller.lastEndAt;
    },
    get finishedCount() {
      return running.finished;
    },
    wake: poller.wake,
    stop: async () => {
      await poller.stop();
      await running.stop();
      clearInterval(renewals);
    },
    giveBack: () => running.giveBack(),
  };
}

/** Opens the recurring jobs; all workers share one job per kind. */
async function scheduleJobs(db: Database, handlers: readonly JobHandler[]): Promise<void> {
  for (const { kind, everyMs } of handlers)
    if (everyMs !== undefined) {
      const job = { organizationId: null, kind: kind.name, key: 'scheduled', payload: {}, delayMs: 0 };
      await insertJob(db, { ...job, id: newId() });
    }
}

function moveToEnd(served: Set<string>, organizationId: string): void {
  served.delete(organizationId);
  served.add(organizationId);
  const [first] = served;
  if (served.size > maxServed && first !== undefined) served.delete(first);
}
