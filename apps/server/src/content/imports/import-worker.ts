import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { createPoller, type Poller } from '../../platform/poller.ts';
import type { WorkerHeartbeat } from '../../platform/worker-heartbeat.ts';
import { runImports } from './run-imports.ts';

export interface ImportWorkerOptions {
  db: Database;
  log: Log;
  heartbeat: Pick<WorkerHeartbeat, 'id'>;
}

/** Runs CSV imports as they are queued, one after the other; stops after the batch under way. */
export const createImportWorker = ({ db, log, heartbeat }: ImportWorkerOptions): Poller =>
  createPoller({
    name: 'imports',
    // Announced work is taken at once.
    everyMs: 1_000,
    log,
    work: async (signal) => {
      const workerId = heartbeat.id;
      if (workerId !== undefined) await runImports({ db, workerId, log, signal });
    },
  });
