import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { WorkerIdentity } from '../../platform/worker-heartbeat.ts';
import { runImports } from './run-imports.ts';

export interface ImportWorkerOptions {
  db: Database;
  log: Log;
  identity: Pick<WorkerIdentity, 'id'>;
}

/** How often the worker looks for work by itself; announced work is taken at once. */
const pollMs = 1_000;

/** Works off CSV imports as they come, one after the other. */
export function createImportWorker({ db, log, identity }: ImportWorkerOptions) {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let isWanted = false;

  function poke(): void {
    isWanted = true;
    const workerId = identity.id;
    if (running !== undefined || workerId === undefined || stopping.signal.aborted) return;
    isWanted = false;
    running = runImports({ db, workerId, log, signal: stopping.signal })
      .then(
        () => undefined,
        (error: unknown) => log.warn({ err: error }, 'imports could not go on'),
      )
      .finally(() => {
        running = undefined;
        if (isWanted) poke();
      });
  }

  const timer = setInterval(poke, pollMs);
  return {
    poke,
    /** Ends after the batch under way; others can go on from there. */
    stop: async (): Promise<void> => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
