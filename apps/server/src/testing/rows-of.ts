import { sql } from 'kysely';
import type { Database, NewRow } from '../platform/database/database.ts';
import type { DB } from '../platform/database/types.gen.ts';
import { insertRows, type Values } from '../sample/rows.ts';

const columnsOf = new WeakMap<Database, Promise<ReadonlyMap<string, readonly string[]>>>();

/**
 * @param of  keys of the records that the rows belong to, such as `brand_id`
 * @returns inserts rows of a table, with those of the keys that it has columns for
 */
export const rowsOf =
  (owner: Database, of: Readonly<Record<string, string | number>>) =>
  async <T extends keyof DB>(table: T, ...rows: Partial<Values<NewRow<T>>>[]): Promise<void> => {
    const known = columnsOf.get(owner) ?? listColumns(owner);
    columnsOf.set(owner, known);
    const columns = (await known).get(table) ?? [];
    const keys = Object.fromEntries(Object.entries(of).filter(([key]) => columns.includes(key)));
    await insertRows(
      owner,
      table,
      rows.map((row) => ({ ...keys, ...row }) as Values<NewRow<T>>),
    );
  };

async function listColumns(owner: Database): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select table_name as name, array_agg(column_name::text) as columns
    from information_schema.columns where table_schema = 'public' group by 1
  `.execute(owner);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}
