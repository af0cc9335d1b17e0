import { execute, rowsOf, connect, type Database } from '../platform/database/database.ts';
import type { JobHandler } from '../platform/jobs/job-kind.ts';
import { createJobRunner } from '../platform/jobs/job-runner.ts';
import { createLog, type Log } from '../platform/log.ts';
import { createWorkerHeartbeat } from '../platform/worker-heartbeat.ts';
import type { TestDatabase } from './database.ts';
import { waitUntil } from './wait-until.ts';

export interface JobWorker {
  wake: () => void;
  /** Stops it gracefully, as an operator does. */
  stop: () => Promise<void>;
  /** Simulates a killed process: its lock is released, and its jobs have no result. */
  vanish: () => Promise<void>;
}

/** Starts a worker that runs jobs, wired as in worker.ts. */
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

/**
 * Runs the open jobs of these kinds, including those that wait for a retry, until none is due.
 * @param until  stops earlier when it resolves
 */
export async function runJobs(
  database: Pick<TestDatabase, 'appUrl' | 'authUrl'>,
  owner: Database,
  handlers: readonly JobHandler[],
  until?: Promise<unknown>,
): Promise<void> {
  const kinds = handlers.map(({ kind }) => kind.name);
  await execute(owner)`
    update jobs set due_at = now() where state = 'open' and worker_id is null and kind = any (${kinds})
  `;
  const worker = startJobWorker(database, handlers);
  let isOver = false;
  const idle = waitUntil('no job is due', async () => {
    const rows = await rowsOf(owner)`
      select from jobs where state = 'open' and kind = any (${kinds}) and (worker_id is not null or due_at <= now()) limit 1
    `;
    return isOver || rows.length === 0;
  });
  try {
    await Promise.race([idle, ...(until === undefined ? [] : [until])]);
  } finally {
    isOver = true;
    await idle.catch(() => undefined);
    await worker.stop();
  }
}
