import type { Database } from '../../platform/database/database.ts';
import { transactionAs } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { createPartitions, dropEmptyPartitions } from './partitions.queries.ts';

/** Makes the months that tables partitioned by month need, ahead of time, and drops those of which nothing is left. */
export async function maintainPartitions(db: Database, log: Log): Promise<void> {
  for (const { partition, moved_rows } of await transactionAs(db, {}, createPartitions)) {
    log.info({ partition }, 'partition was made');
    if (moved_rows > 0) log.warn({ partition, rows: moved_rows }, 'rows waited for their partition');
  }
  for (const partition of await transactionAs(db, {}, dropEmptyPartitions))
    log.info({ partition }, 'partition without rows was dropped');
}
