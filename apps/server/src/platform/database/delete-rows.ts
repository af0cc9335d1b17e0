import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from './database.ts';
import type { DB } from './types.gen.ts';

// Deletion of many rows in batches, each in a short transaction of the caller. A module creates these for its own tables.

/** Deletes at most `limit` rows (of a partitioned table, per partition) and returns their number. */
export type DeleteBatch = (trx: Transaction, limit: number) => Promise<number>;

/** As `DeleteBatch`, for the rows whose columns have these values. */
export type DeleteBatchOf = (
  trx: Transaction,
  values: Readonly<Record<string, string>>,
  limit: number,
) => Promise<number>;

/** @param ages  minimum age by column: `{ created_at: '30 days' }`; all of them have to match */
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

/** Deletes rows by ctid, because the tables have different keys. */
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
