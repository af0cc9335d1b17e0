import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import type { DB } from '../platform/database/types.gen.ts';

/** Copies a row `count` times, with new values in `id` and the `unique` columns. */
export async function copyRow(
  owner: Database,
  table: keyof DB,
  id: string,
  { count, unique = [] }: { count: number; unique?: readonly string[] },
): Promise<void> {
  const fresh = ['id', ...unique].flatMap((column) => [sql.lit(column), sql`gen_random_uuid()`]);
  await sql`
    insert into ${sql.table(table)}
    select (jsonb_populate_record(t, jsonb_build_object(${sql.join(fresh)}))).*
    from ${sql.table(table)} t, generate_series(1, ${count})
    where t.id = ${id}
  `.execute(owner);
}
