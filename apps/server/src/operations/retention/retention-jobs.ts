import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import {
  handleRecurringJob,
  JobInterrupted,
  RetryLater,
  type JobHandler,
} from '../../platform/jobs/job-kind.ts';
import type { Log } from '../../platform/log.ts';
import type { PartitionFaults } from './partitions.ts';
import { runRetention } from './retention.ts';

/** Small enough not to block other transactions. */
const batchRows = 2_000;

/** Deletes expired data every few minutes, on one worker at a time. Stops after the current batch. */
export const handleRetention = (deps: {
  db: Database;
  log: Log;
  files: FileStore;
  partitionFaults: PartitionFaults;
}): JobHandler =>
  handleRecurringJob('retention', 5 * 60_000, async (_job, signal) => {
    const failed = await runRetention({ ...deps, batchRows, signal });
    if (signal.aborted) throw new JobInterrupted();
    if (failed.length > 0) throw new RetryLater(`These steps failed: ${failed.join(', ')}.`);
  });
