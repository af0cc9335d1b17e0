import type { Kysely, RawBuilder, Selectable, Updateable } from 'kysely';
import type { DB } from '../platform/database/types.gen.ts';

// Statements of tests on rows of one table, found by the values of columns, where null stands for no value. `db` is the
// connection of the owner, or that of the product where a test is about its rights.

type Table = keyof DB;
type Column<T extends Table> = keyof Selectable<DB[T]> & string;
/** Values, or expressions in SQL. */
type Values<Row> = { [C in keyof Row]: Row[C] | RawBuilder<unknown> };
type Where<T extends Table> = { readonly [C in Column<T>]?: Selectable<DB[T]>[C] | null };

export async function updateRows<T extends Table>(
  db: Kysely<DB>,
  table: T,
  where: Where<T>,
  changes: Values<Updateable<DB[T]>>,
): Promise<void> {
  let update = untyped(db).updateTable<string>(table).set(changes);
  for (const [column, operator, value] of comparisons(where)) update = update.where(column, operator, value);
  await update.execute();
}

export async function deleteRows<T extends Table>(
  db: Kysely<DB>,
  table: T,
  where: Where<T> = {},
): Promise<void> {
  let deletion = untyped(db).deleteFrom<string>(table);
  for (const [column, operator, value] of comparisons(where))
    deletion = deletion.where(column, operator, value);
  await deletion.execute();
}

type Found<T extends Table, C extends Column<T>> = Pick<Selectable<DB[T]>, C>;

export async function listRows<T extends Table, C extends Column<T>>(
  db: Kysely<DB>,
  table: T,
  columns: readonly C[] | '*',
  where: Where<T> = {},
): Promise<Found<T, C>[]> {
  const from = untyped(db).selectFrom<string>(table);
  let query = columns === '*' ? from.selectAll() : from.select(columns);
  for (const [column, operator, value] of comparisons(where)) query = query.where(column, operator, value);
  return (await query.execute()) as Found<T, C>[];
}

/** @returns the first such row; undefined without any */
export async function findRow<T extends Table, C extends Column<T>>(
  db: Kysely<DB>,
  table: T,
  columns: readonly C[] | '*',
  where: Where<T> = {},
): Promise<Found<T, C> | undefined> {
  return (await listRows(db, table, columns, where))[0];
}

/** @throws Error without such a row */
export async function getRow<T extends Table, C extends Column<T>>(
  db: Kysely<DB>,
  table: T,
  columns: readonly C[] | '*',
  where: Where<T> = {},
): Promise<Found<T, C>> {
  const row = await findRow(db, table, columns, where);
  if (row === undefined) throw new Error(`${table} has no row with ${JSON.stringify(where)}`);
  return row;
}

type AnyRow = Record<string, unknown>;
type AnyTable = Record<string, AnyRow>;

const untyped = (db: Kysely<DB>) => db as Kysely<AnyTable>;

const comparisons = (where: object) =>
  Object.entries(where).map(
    ([column, value]) => [column, value === null ? 'is' : '=', value as unknown] as const,
  );
