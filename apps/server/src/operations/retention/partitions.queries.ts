import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';

export interface NewPartition {
  parent_table: string;
  /** Null where too many rows wait for it: moving them would hold up everybody. */
  partition: string | null;
  /** Rows that came before it was there, and waited in the default partition. */
  moved_rows: number | null;
}

/** Makes the months that tables partitioned by month need now and next. */
export async function createPartitions(trx: Transaction): Promise<NewPartition[]> {
  const { rows } = await sql<NewPartition>`select * from create_partitions()`.execute(trx);
  return rows;
}

/** Drops old months of which nothing is left. @returns their names */
export async function dropEmptyPartitions(trx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ partition: string }>`
    select partition from drop_empty_partitions() as partition
  `.execute(trx);
  return rows.map(({ partition }) => partition);
}
