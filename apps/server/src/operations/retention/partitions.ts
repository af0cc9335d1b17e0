import { DatabaseError } from 'pg';
import { transactionAs, type Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import {
  createPartitions,
  dropEmptyPartitions,
  listPartitionedTables,
  type NewPartition,
} from './erase.queries.ts';

/** Counters for the worker's metrics. */
export interface PartitionFaults {
  /** Partitions not created because too many rows would have to be moved. */
  refused: number;
}

/** Creates monthly partitions ahead of time and drops empty ones. */
export async function maintainPartitions(db: Database, log: Log, faults: PartitionFaults): Promise<void> {
  await makeMonths(db, log, faults);
  for (const partition of await transactionAs(db, {}, dropEmptyPartitions))
    log.info({ partition }, 'partition without rows was dropped');
}

/** Creates monthly partitions. Skips a table whose default partition is locked by a reader; a later run retries it. */
export async function makeMonths(db: Database, log: Log, faults?: PartitionFaults): Promise<void> {
  for (const table of await transactionAs(db, {}, listPartitionedTables)) {
    try {
      const made = await transactionAs(db, {}, (trx) => createPartitions(trx, table));
      for (const partition of made) tell(log, table, partition, faults);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      log.info({ table }, 'table is read at the moment, its months are made later');
    }
  }
}

function tell(log: Log, table: string, { partition, moved_rows }: NewPartition, faults?: PartitionFaults) {
  if (partition === null) {
    if (faults !== undefined) faults.refused += 1;
    log.error({ table }, 'too many rows wait for their partition (docs/sending.md, Months)');
    return;
  }
  log.info({ partition }, 'partition was made');
  if (moved_rows) log.warn({ partition, rows: moved_rows }, 'rows waited for their partition');
}

const isLockTimeout = (error: unknown): boolean => error instanceof DatabaseError && error.code === '55P03';
