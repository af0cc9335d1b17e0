import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Log } from '../../platform/log.ts';
import { createPoller, type Poller } from '../../platform/poller.ts';
import { runRetention } from './retention.ts';

/** Far below what would hold up anybody else. */
const batchRows = 2_000;

/**
 * Deletes what has expired, now and every few minutes; stops after the batch under way. Any number of workers can run
 * side by side.
 */
export const startRetention = (deps: { db: Database; log: Log; files: FileStore }): Poller =>
  createPoller({
    name: 'retention',
    everyMs: 5 * 60_000,
    log: deps.log,
    work: (signal) => runRetention({ ...deps, batchRows, signal }),
  });
