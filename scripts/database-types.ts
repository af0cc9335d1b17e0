import { join } from 'node:path';
import {
  generate,
  PostgresDialect,
  type ColumnMetadata,
  type PostgresDB,
  type TableMetadata,
} from 'kysely-codegen';
import { sql, type Kysely } from 'kysely';

/** File of the table types: generated from the migrated database, committed, and compared in a test. */
export const typesFile = join(import.meta.dirname, '../apps/server/src/platform/database/types.gen.ts');

/**
 * Writes the types of all tables and views of a migrated database, as the server's pool returns rows: 64-bit integers as
 * numbers, timestamps as ISO text, and text with a list of values in a check constraint as the union of these.
 */
export async function writeDatabaseTypes(url: string, file: string): Promise<void> {
  const dialect = new PostgresDialect();
  const db = await dialect.introspector.connect({ connectionString: url, dialect });
  try {
    await generate({
      db,
      dialect,
      excludePattern: 'migrations.*',
      typeMapping: { int8: 'number', timestamptz: 'string' },
      outFile: file,
      postprocess: async ({ metadata }) => {
        await db.connection().execute((connection) => describeColumns(connection, metadata.tables));
        return metadata;
      },
    });
  } finally {
    await db.destroy();
  }
}

/**
 * Adds to the columns the values that check constraints list, and to those of views which ones are never null. The catalogs
 * tell neither for a view, but the planner does: it replaces a query by an empty one if it can prove that no row matches.
 */
async function describeColumns(db: Kysely<PostgresDB>, tables: TableMetadata[]): Promise<void> {
  await sql`set constraint_exclusion = on`.execute(db);
  const { rows: lists } = await sql<{ table: string; column: string; values: string[] }>`
    select c.conrelid::regclass::text as table, a.attname as column,
      array(select (regexp_matches(definition, '''([^'']*)''::text', 'g'))[1]) as values
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    cross join lateral pg_get_constraintdef(c.oid) as definition
    where c.contype = 'c' and cardinality(c.conkey) = 1
      and definition like 'CHECK ((' || quote_ident(a.attname) || ' = ANY (ARRAY[%'
  `.execute(db);
  for (const table of tables)
    for (const column of table.columns) {
      if (!table.isView) {
        column.enumValues =
          lists.find((list) => list.table === table.name && list.column === column.name)?.values ?? null;
        continue;
      }
      const isNever = (condition: string) => isProvablyEmpty(db, table, column, condition);
      column.isNullable = !(await isNever('is null'));
      if (column.dataType !== 'text') continue;
      for (const { values } of lists.filter((list) => column.name.endsWith(list.column)))
        if (await isNever(`<> all (array[${values.map((value) => `'${value}'`).join()}])`))
          column.enumValues = values;
    }
}

async function isProvablyEmpty(
  db: Kysely<PostgresDB>,
  view: TableMetadata,
  column: ColumnMetadata,
  condition: string,
): Promise<boolean> {
  const query = `explain (format json) select from ${view.name} where "${column.name}" ${condition}`;
  const { rows } = await sql<{ 'QUERY PLAN': unknown }>`${sql.raw(query)}`.execute(db);
  return JSON.stringify(rows).includes('"One-Time Filter":"false"');
}
