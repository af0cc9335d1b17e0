import { sql, type RawBuilder } from 'kysely';
import type { Item } from '@reachout/contract/content.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { invalidQuery, type AggregateFunction } from '../backend/content-backend.ts';
import type { JsonValue } from '../backend/field-values.ts';
import type { RuleField } from '../backend/rule-values.ts';
import { groupKeyToSql, isNumeric, sortKeyToSql } from './filter-rule-sql.ts';
import { itemsOfSelection, matches, type ItemSelection } from './items.queries.ts';

/** What to compute over the items. */
export interface Aggregation {
  /** Without a field, the function applies to the items themselves. */
  values: readonly { function: AggregateFunction; field: RuleField | undefined }[];
  groups: readonly RuleField[];
  sort: readonly { field: RuleField; descending: boolean }[];
  limit: number;
  offset: number;
}

/**
 * @returns one row per group, as Directus on PostgreSQL does: `{ city: "Köln", count: "3", avg: { age: "41.5" } }`. Counts,
 *   sums and averages are text, because their digits may not fit in a number. Without items, counts are "0", the rest null.
 * @throws 400 `invalid_query`
 */
export async function aggregateItems(
  trx: Transaction,
  selection: ItemSelection,
  { values, groups, sort, limit, offset }: Aggregation,
): Promise<Item[]> {
  if (values.length + groups.length === 0) throw invalidQuery('aggregate: Name a function.');
  const columns = [
    ...groups.map((field, index) => sql`${groupKeyToSql(field)} as ${sql.id(`group_${index}`)}`),
    ...values.map((value, index) => sql`${valueToSql(value)} as ${sql.id(`value_${index}`)}`),
  ];
  const keys = groups.map((_, index) => sql.id(`group_${index}`));
  const order = [...sort.map((key) => sortToSql(key, groups)), ...keys];
  const { rows } = await sql<Record<string, JsonValue>>`
    select ${sql.join(columns)}
    from ${itemsOfSelection(selection)}
    where ${matches(selection)}
    ${groups.length === 0 ? sql`` : sql`group by ${sql.join(keys)} order by ${sql.join(order)}`}
    limit ${limit} offset ${offset}
  `.execute(trx);
  return rows.map((row) => toRow(row, values, groups));
}

function sortToSql(
  { field, descending }: Aggregation['sort'][number],
  groups: readonly RuleField[],
): RawBuilder<unknown> {
  const index = groups.findIndex(({ name }) => name === field.name);
  if (index === -1) throw invalidQuery('sort: Groups can be sorted by the fields of groupBy only.');
  return sql`${sql.id(`group_${index}`)} ${descending ? sql`desc` : sql`asc`}`;
}

function valueToSql({ function: name, field }: Aggregation['values'][number]): RawBuilder<unknown> {
  if (field === undefined) {
    if (name !== 'count') throw invalidQuery(`aggregate: ${name} needs a field.`);
    return sql`count(*)::text`;
  }
  const value = sortKeyToSql(field);
  switch (name) {
    case 'count':
      return sql`count(${value})::text`;
    case 'countDistinct':
      return sql`count(distinct ${value})::text`;
    case 'min':
      return sql`to_jsonb(min(${value}))`;
    case 'max':
      return sql`to_jsonb(max(${value}))`;
    default:
      if (!isNumeric(field.type)) throw invalidQuery(`aggregate: “${field.name}” is no number.`);
      return name === 'sum' ? sql`sum(${value})::text` : sql`avg(${value})::text`;
  }
}

function toRow(
  row: Readonly<Record<string, JsonValue>>,
  values: Aggregation['values'],
  groups: Aggregation['groups'],
): Item {
  const item: Record<string, JsonValue> = Object.fromEntries(
    groups.map(({ name }, index) => [name, row[`group_${index}`] ?? null]),
  );
  for (const [index, { function: name, field }] of values.entries()) {
    const value = row[`value_${index}`] ?? null;
    if (field === undefined) item[name] = value;
    else item[name] = { ...asObject(item[name]), [field.name]: value };
  }
  return item;
}

const asObject = (value: JsonValue | undefined): { [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
