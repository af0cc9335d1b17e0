import type { Database } from '../../platform/database/database.ts';
import { transactionAs } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { createPartitions, dropEmptyPartitions } from './partitions.queries.ts';

/** For the metrics of the worker. */
export interface PartitionFaults {
  /** How often the months of a table were not made, because too many rows wait for them. */
  refused: number;
}

/** Makes the months that tables partitioned by month need, ahead of time, and drops those of which nothing is left. */
export async function maintainPartitions(db: Database, log: Log, faults: PartitionFaults): Promise<void> {
  for (const { parent_table, partition, moved_rows } of await transactionAs(db, {}, createPartitions)) {
    if (partition === null) {
      faults.refused += 1;
      log.error({ table: parent_table }, 'too many rows wait for their partition (docs/sending.md, Months)');
      continue;
    }
    log.info({ partition }, 'partition was made');
    if (moved_rows) log.warn({ partition, rows: moved_rows }, 'rows waited for their partition');
  }
  for (const partition of await transactionAs(db, {}, dropEmptyPartitions))
    log.info({ partition }, 'partition without rows was dropped');
}
