import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';
import { keepHouse } from './retention.ts';

const everyMs = 5 * 60_000;
/** Far below what would hold up anybody else. */
const batchRows = 2_000;

/** Does housekeeping now and every few minutes. Any number of workers can run side by side. */
export function startHousekeeper(deps: { db: Database; log: Log; files: FileStore }) {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  function start(): void {
    running ??= keepHouse({ ...deps, batchRows, signal: stopping.signal }).finally(() => {
      running = undefined;
    });
  }

  const timer = setInterval(start, everyMs);
  start();
  return {
    /** Ends after the batch under way. */
    stop: async (): Promise<void> => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
