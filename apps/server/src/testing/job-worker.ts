import { connect } from '../platform/database/database.ts';
import type { JobHandler } from '../platform/jobs/job-kind.ts';
import { createJobRunner } from '../platform/jobs/job-runner.ts';
import { createLog, type Log } from '../platform/log.ts';
import { createWorkerHeartbeat } from '../platform/worker-heartbeat.ts';
import type { TestDatabase } from './database.ts';

export interface JobWorker {
  wake: () => void;
  /** As an operator stops it. */
  stop: () => Promise<void>;
  /** What a killed process leaves behind: its lock is gone, and its jobs are not accounted for. */
  vanish: () => Promise<void>;
}

/** A worker that runs jobs, as worker.ts puts one together. */
export function startJobWorker(
  database: Pick<TestDatabase, 'appUrl' | 'authUrl'>,
  handlers: readonly JobHandler[],
  log: Log = createLog('silent'),
): JobWorker {
  const db = connect(database.authUrl, { name: 'test jobs', connections: 2, onError: () => {} });
  const heartbeat = createWorkerHeartbeat(database.appUrl, log, () => runner.wake());
  const runner = createJobRunner({ db, log, heartbeat, handlers });
  let stopped: Promise<void> | undefined;
  return {
    wake: runner.wake,
    stop: () =>
      (stopped ??= (async () => {
        await runner.stop();
        await heartbeat.close();
        await db.destroy();
      })()),
    vanish: () => heartbeat.close(),
  };
}
