import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';

export interface NewPartition {
  /** Null if too many rows in the default partition would have to be moved, which would block other transactions. */
  partition: string | null;
  /** Rows moved from the default partition, where they were stored before this partition existed. */
  moved_rows: number | null;
}

export async function listPartitionedTables(trx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from partitioned_tables()`.execute(trx);
  return rows.map(({ name }) => name);
}

/** Creates the partitions for the current and upcoming months. Needs a separate transaction, because it locks the table. */
export async function createPartitions(trx: Transaction, table: string): Promise<NewPartition[]> {
  const { rows } = await sql<NewPartition>`select * from create_partitions(${table})`.execute(trx);
  return rows;
}

/** Drops empty partitions of old months. @returns their names */
export async function dropEmptyPartitions(trx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ partition: string }>`
    select partition from drop_empty_partitions() as partition
  `.execute(trx);
  return rows.map(({ partition }) => partition);
}
