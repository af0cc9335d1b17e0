import { sql, type RawBuilder, type Selectable, type Updateable } from 'kysely';
import { notFound } from '../http/api-error.ts';
import { execute, rowsOf, firstRowOf, type Transaction } from './database.ts';
import type { DB } from './types.gen.ts';

/** How long a deleted row can be restored; afterwards it can no longer be found (product: "trash for 30 days"). */
const restorableDays = 30;

/** SQL condition for a table with `deleted_at`: the row can still be restored. */
export const isRestorable = sql<boolean>`deleted_at > now() - make_interval(days => ${sql.lit(restorableDays)})`;

/** SQL expression for the time until which a row can be restored. */
export const restorableUntil = (deletedAt: string): RawBuilder<string> =>
  sql<string>`${sql.ref(deletedAt)} + make_interval(days => ${sql.lit(restorableDays)})`;

type TableWith<C extends string> = {
  [T in keyof DB]: DB[T] extends Record<C, unknown> ? T : never;
}[keyof DB];

/** Updates columns of one row, whether it is deleted or not. */
export const updateRow =
  <T extends TableWith<'id' | 'updated_at'>>(table: T) =>
  async (trx: Transaction, id: string, changes: Updateable<DB[T]>): Promise<void> => {
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    const set = given.map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
    await execute(trx)`
      update ${sql.table(table)} set ${sql.join([...set, sql`updated_at = now()`])} where id = ${id}
    `;
  };

/**
 * Soft-deletes one row: it is hidden, and can be restored for a while.
 * @param current  the view of rows that are not deleted and do not belong to a deleted row
 * @returns the row
 * @throws 404 if the row is not in the view
 */
export const softDeleteRow =
  <T extends TableWith<'id' | 'deleted' | 'deleted_at' | 'updated_at'>>(
    table: T,
    current: keyof DB = table,
  ) =>
  async (trx: Transaction, id: string): Promise<Selectable<DB[T]>> => {
    const rows = await rowsOf<Selectable<DB[T]>>(trx)`
      update ${sql.table(table)} set deleted = true, deleted_at = now(), updated_at = now()
      where id = ${id} and not deleted and exists (select from ${sql.table(current)} where id = ${id})
      returning *
    `;
    if (rows[0] === undefined) throw notFound();
    return rows[0];
  };

/** Undoes `softDeleteRow`. @returns the row; undefined if it was not deleted, or was deleted too long ago */
export const restoreRow =
  <T extends TableWith<'id' | 'deleted' | 'deleted_at' | 'updated_at'>>(table: T) =>
  (trx: Transaction, id: string) =>
    firstRowOf<Selectable<DB[T]>>(trx)`
      update ${sql.table(table)} set deleted = false, deleted_at = null, updated_at = now()
      where id = ${id} and deleted and ${isRestorable}
      returning *
    `;
