import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  generate,
  PostgresDialect,
  RawExpressionNode,
  type ColumnMetadata,
  type PostgresDB,
  type TableMetadata,
} from 'kysely-codegen';
import { sql, type Kysely } from 'kysely';

/** File of the table types: generated from the migrated database, committed, and compared in a test. */
export const typesFile = join(import.meta.dirname, '../apps/server/src/platform/database/types.gen.ts');

const imports = `
import type { Preset } from '@reachout/contract/content-presets.ts';
import type { DomainCheck } from '@reachout/contract/domains.ts';
import type { Unless } from '@reachout/contract/event-graph.ts';
import type { AudienceBreakdown, FieldMapping, Rule } from '@reachout/contract/filters.ts';
import type { BackendFailure } from '@reachout/contract/rules/backend-failures.ts';
import type { ImportError } from '@reachout/contract/rules/import-errors.ts';
import type { Preferences } from '@reachout/contract/me.ts';
import type { Recurrence } from '@reachout/contract/rules/recurrence.ts';
import type { SendError } from '@reachout/contract/rules/send-errors.ts';
import type { Schedule } from '@reachout/contract/schedules.ts';
import type { ItemStatus } from '@reachout/contract/states/collection-item.ts';
import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
`;

/** Types of columns that the database does not know. JSON is read as such a value and written as text. */
const types: Readonly<Record<string, string>> = {
  'content_imports.error': 'ImportError',
  'content_presets.filter': 'Preset["filter"]',
  'content_presets.layout_query': 'Preset["layout_query"]',
  'counted_sends.audience_breakdown': 'AudienceBreakdown',
  'counted_sends.error': 'SendError',
  'deliveries.variables': 'Record<string, unknown>',
  'event_listeners.unless': 'Unless',
  'filters.field_mapping': 'FieldMapping',
  'filters.rule': 'Rule',
  'organization_directus.failure': 'BackendFailure',
  'sending_domain_checks.advice': 'DomainCheck["advice"]',
  'sending_domain_checks.found': 'DomainCheck["found"]',
  'sending_domain_checks.wanted': 'DomainCheck["wanted"]',
  'touchpoint_collection_items.error': 'SendError',
  'touchpoint_collection_items.item_status': 'ItemStatus',
  'touchpoint_event_listeners.unless': 'Unless',
  'touchpoint_overviews.organization': 'Touchpoint["organization"]',
  'touchpoint_overviews.schedules': 'Touchpoint["schedules"]',
  'touchpoint_schedules.schedule_content': 'Schedule["schedule_content"]',
  'touchpoint_schedules.slots': 'Recurrence',
  'touchpoint_sends.audience_breakdown': 'AudienceBreakdown',
  'touchpoint_sends.error': 'SendError',
  'users.preferences': 'Preferences',
};

/** Expressions of views that are never null, which the planner cannot tell. */
const neverNull: readonly string[] = [
  'coming_sends.is_queued_item',
  'coming_sends.scheduled_date',
  'counted_sends.recipients_accepted_count',
  'counted_sends.recipients_not_measured_count',
  'counted_sends.recipients_suppressed_count',
  'counted_sends.recipients_total_delivery_failed_count',
  'counted_sends.recipients_total_failed_count',
  'counted_sends.recipients_total_sent_count',
  'counted_sends.recipients_uncertain_count',
  'touchpoint_collection_items.failed_count',
  'touchpoint_collection_items.item_status',
  'touchpoint_collection_items.item_title',
  'touchpoint_overviews.organization',
  'touchpoint_overviews.schedules',
];

/**
 * Writes the types of all tables and views of a migrated database, as the server's pool returns rows: 64-bit integers as
 * numbers, timestamps as ISO text, and text with a list of values in a check constraint as the union of these.
 */
export async function writeDatabaseTypes(url: string, file: string): Promise<void> {
  const dialect = new PostgresDialect();
  const db = await dialect.introspector.connect({ connectionString: url, dialect });
  try {
    const columns: Record<string, RawExpressionNode> = {};
    const text = await generate({
      db,
      dialect,
      excludePattern: 'migrations.*',
      typeMapping: { int8: 'number', timestamptz: 'string' },
      overrides: { columns },
      outFile: null,
      postprocess: async ({ metadata }) => {
        await db.connection().execute((connection) => describeColumns(connection, metadata.tables));
        for (const table of metadata.tables)
          for (const column of table.columns) {
            const type = types[`${table.name}.${column.name}`];
            if (type !== undefined)
              columns[`${table.name}.${column.name}`] = new RawExpressionNode(typeOf(table, column, type));
          }
        return metadata;
      },
    });
    await writeFile(file, text.replace('\nimport', `${imports}import`));
  } finally {
    await db.destroy();
  }
}

function typeOf(
  { isView }: TableMetadata,
  { dataType, hasDefaultValue }: ColumnMetadata,
  type: string,
): string {
  if (isView || dataType !== 'jsonb') return type;
  const column = `ColumnType<${type}, string, string>`;
  return hasDefaultValue ? `Generated<${column}>` : column;
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
      column.isNullable = !neverNull.includes(`${table.name}.${column.name}`) && !(await isNever('is null'));
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
