import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';

/**
 * Proves that a secret is stored nowhere.
 * @returns the columns of all tables, as sorted `table.column`, that contain this text, also within JSON, arrays and bytes
 */
export async function findMarker(owner: Database, text: string): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string; type: string }>`
    select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped
  `.execute(owner);
  const found: string[] = [];
  for (const { table, column, type } of columns) {
    const value = sql.ref(column);
    const asText = type === 'bytea' ? sql`encode(${value}, 'escape')` : sql`${value}::text`;
    const { rows } = await sql`
      select from ${sql.table(table)} where strpos(${asText}, ${text}) > 0 limit 1
    `.execute(owner);
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found.toSorted();
}
