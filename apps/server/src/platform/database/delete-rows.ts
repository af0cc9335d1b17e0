import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from './database.ts';
import type { DB } from './types.gen.ts';

// Deletes many rows in batches, each in a short transaction of the caller. A module makes these for its own tables.

/** Deletes at most `limit` rows, of a partitioned table so many of each partition, and tells how many it were. */
export type DeleteBatch = (trx: Transaction, limit: number) => Promise<number>;

/** The same for the rows whose columns have these values. */
export type DeleteBatchOf = (
  trx: Transaction,
  values: Readonly<Record<string, string>>,
  limit: number,
) => Promise<number>;

/** @param ages  columns, and how long ago they have to be: `{ created_at: '30 days' }`; of several, all of them */
export const deleteExpired =
  (table: keyof DB, ages: Readonly<Record<string, string>>): DeleteBatch =>
  (trx, limit) =>
    deleteWhere(
      trx,
      table,
      Object.entries(ages).map(([column, age]) => sql`${sql.ref(column)} < now() - ${age}::interval`),
      limit,
    );

export const deleteRowsOf =
  (table: keyof DB): DeleteBatchOf =>
  (trx, values, limit) =>
    deleteWhere(
      trx,
      table,
      Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
      limit,
    );

/** By their places, since each table has another key. */
async function deleteWhere(
  trx: Transaction,
  table: keyof DB,
  conditions: readonly RawBuilder<unknown>[],
  limit: number,
): Promise<number> {
  const where = sql.join([...conditions], sql` and `);
  const result = await sql`
    delete from ${sql.table(table)} where ctid = any (array(
      select ctid from ${sql.table(table)} where ${where} limit ${limit}
    )) and ${where}
  `.execute(trx);
  return Number(result.numAffectedRows);
}
