import type { Kysely, RawBuilder } from 'kysely';
import type { Database, NewRow, Row } from '../platform/database/database.ts';
import type { DB } from '../platform/database/types.gen.ts';

// Rows of samples, in the tables of all modules: those of the demo are written within a transaction of their organization,
// those of tests and benchmarks by the owner of the tables, who bypasses row-level security.

type Table = keyof DB;
export type Given<T extends Table> = Partial<NewRow<T>>;
/** Values, or expressions in SQL. */
export type Values<Columns> = { [C in keyof Columns]: Columns[C] | RawBuilder<unknown> };

/** PostgreSQL takes 65,535 parameters. */
const rowsAtOnce = 1_000;

/** Inserts any number of rows. */
export async function insertRows<T extends Table>(
  db: Database,
  table: T,
  rows: Values<NewRow<T>> | readonly Values<NewRow<T>>[],
): Promise<void> {
  const all = [rows].flat() as AnyRow[];
  for (let from = 0; from < all.length; from += rowsAtOnce)
    await untyped(db)
      .insertInto<string>(table)
      .values(all.slice(from, from + rowsAtOnce))
      .execute();
}

/** @returns the row with the values that it got */
export const insertRow = async <T extends Table>(
  db: Database,
  table: T,
  row: Values<NewRow<T>>,
): Promise<Row<T>> =>
  (await untyped(db)
    .insertInto<string>(table)
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow()) as Row<T>;

type AnyRow = Record<string, unknown>;

const untyped = (db: Database) => db as Kysely<Record<string, AnyRow>>;
