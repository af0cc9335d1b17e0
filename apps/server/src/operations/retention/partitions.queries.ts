import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';

export interface NewPartition {
  /** Null where too many rows wait for it: moving them would hold up everybody. */
  partition: string | null;
  /** Rows that came before it was there, and waited in the default partition. */
  moved_rows: number | null;
}

/** The tables that are partitioned by month, by name. */
export async function listPartitionedTables(trx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from partitioned_tables()`.execute(trx);
  return rows.map(({ name }) => name);
}

/** Makes the months that a table needs now and next. Has a transaction of its own, because it keeps others from the table. */
export async function createPartitions(trx: Transaction, table: string): Promise<NewPartition[]> {
  const { rows } = await sql<NewPartition>`select * from create_partitions(${table})`.execute(trx);
  return rows;
}

/** Drops old months of which nothing is left. @returns their names */
export async function dropEmptyPartitions(trx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ partition: string }>`
    select partition from drop_empty_partitions() as partition
  `.execute(trx);
  return rows.map(({ partition }) => partition);
}
