import { sql, type RawBuilder } from 'kysely';
import { DatabaseError } from 'pg';
import type { Transaction } from '../../platform/database/database.ts';
import { withId } from './item-by-id.queries.ts';
import { queueForSearch } from './search-index.queries.ts';

export interface UpsertRow {
  /** For a new item. */
  id: string;
  key: string;
  /** The values of earlier rows with the same key in this batch; undefined for the first. */
  before: Record<string, unknown> | undefined;
  patch: Record<string, unknown>;
  is_last: boolean;
  /** A row before it in the file has the same key: it counts as merged, and as nothing else. */
  is_double: boolean;
}

export interface UpsertTarget {
  organizationId: string;
  collection: string;
  /** Null: each row is a new item. */
  keyField: string | null;
  /** Data that new items start with. */
  defaults: Record<string, unknown>;
  protectedFields: readonly string[];
  userCreated: string | null;
}

/** Each row counts once. */
export interface UpsertCounts {
  created: number;
  updated: number;
  unchanged: number;
  merged: number;
}

/**
 * Creates and updates items by their key in one statement.
 *
 * A true in a protected field stays true, whatever the file says. Items are only overwritten as they were read: when
 * somebody else changed one, or took a key, at the same moment, `isComplete` is false. Then nothing may be committed, and a
 * new transaction will see the change.
 *
 * The statement is written so that there is only one plan: `lateral` with a limit, and `on conflict`, look items up by
 * their key one by one. PostgreSQL knows nothing of an organization that came after its last `analyze`, takes it for
 * empty, and with plain joins walked through all of its items for each row (200 rows/s instead of 30,000). Keys that are
 * new are claimed without `on conflict`, which looks each up once more (3 of 27 us for a row).
 */
export async function upsertItems(
  trx: Transaction,
  target: UpsertTarget,
  rows: readonly UpsertRow[],
): Promise<UpsertCounts & { isComplete: boolean }> {
  try {
    const { changes, changed, ...counted } = await upsert(trx, target, rows);
    return { ...counted, isComplete: changes === changed };
  } catch (error) {
    if (!isKeyTaken(error)) throw error;
    return { created: 0, updated: 0, unchanged: 0, merged: 0, isComplete: false };
  }
}

const isKeyTaken = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  error.code === '23505' &&
  error.constraint === 'content_unique_values_pkey';

async function upsert(
  trx: Transaction,
  target: UpsertTarget,
  rows: readonly UpsertRow[],
): Promise<UpsertCounts & Record<'changes' | 'changed', number>> {
  const { organizationId, collection, keyField, userCreated } = target;
  const result = await sql<UpsertCounts & Record<'changes' | 'changed', number>>`
    ${comparedRows(target, rows)},
    claimed as (
      insert into content_unique_values (organization_id, collection, field, value, item_id)
      select ${organizationId}::uuid, ${collection}, ${keyField}, key, id
      from compared where item_id is null and is_last and ${keyField}::text is not null
      order by key
    ),
    inserted as (
      insert into content_items (organization_id, collection, id, data, user_created)
      select ${organizationId}::uuid, ${collection}, id, next, ${userCreated}::uuid
      from compared where item_id is null and is_last
      returning 1
    ),
    counted as (
      update content_collections set items_count = items_count + (select count(*) from inserted)
      where organization_id = ${organizationId} and collection = ${collection} and exists (select from inserted)
    ),
    changed as (
      insert into content_items (organization_id, collection, id, data, date_updated)
      select ${organizationId}::uuid, ${collection}, item_id, next, date_updated
      from compared where item_id is not null and is_last and is_other
      on conflict (organization_id, collection, id) do update
      set data = excluded.data, date_updated = greatest(now(), content_items.date_updated + interval '1 millisecond')
      where content_items.date_updated = excluded.date_updated
      returning xmax = 0 as is_new
    ),
    queued as (${queueForSearch(target, written)})
    select
      ${counts},
      count(*) filter (where item_id is not null and is_last and is_other) as changes,
      (select count(*) from changed where not is_new) as changed
    from compared
  `.execute(trx);
  return result.rows[0]!;
}

/** The items that `upsertItems` creates and changes. */
const written = sql`(
        select coalesce(item_id, id) as id from compared
        where is_last and is_other
      )`;

/** What `upsertItems` would do with the rows, without doing it. */
export async function countUpserts(
  trx: Transaction,
  target: UpsertTarget,
  rows: readonly UpsertRow[],
): Promise<UpsertCounts> {
  const result =
    await sql<UpsertCounts>`${comparedRows(target, rows)} select ${counts} from compared`.execute(trx);
  return result.rows[0]!;
}

const counts = sql`
      count(*) filter (where not is_double and item_id is null) as created,
      count(*) filter (where not is_double and item_id is not null and is_update) as updated,
      count(*) filter (where not is_double and item_id is not null and not is_update) as unchanged,
      count(*) filter (where is_double) as merged`;

/**
 * Each row with the item that it is about, and `next`, its data after the row: whether that is an update of what the rows before
 * left, and other than what is stored. `offset 0` keeps what a level computes from being computed again for each use.
 */
const comparedRows = (
  { organizationId, collection, keyField, defaults, protectedFields }: UpsertTarget,
  rows: readonly UpsertRow[],
): RawBuilder<unknown> => sql`
    with compared as materialized (
      select id, key, is_last, is_double, item_id, date_updated, next,
        next <> base as is_update, next is distinct from stored as is_other
      from (
        select *, base || ${unlessProtected(protectedFields, sql`patch`, sql`base`)} as next
        from (
          select *, case when before is null then start
            else start || ${unlessProtected(protectedFields, sql`before`, sql`start`)} end as base
          from (
            select given.id, given.key, given.is_last, given.is_double, nullif(given.before, '')::jsonb as before,
              given.patch::jsonb as patch, claim.item_id, item.data as stored, item.date_updated,
              coalesce(item.data, ${JSON.stringify(defaults)}::jsonb) as start
            from ${givenRows(rows)}
            left join lateral (
              select item_id from content_unique_values
              where organization_id = ${organizationId} and collection = ${collection} and field = ${keyField}
                and value = given.key
              limit 1
            ) claim on true
            left join lateral (
              select data, date_updated from content_items
              where organization_id = ${organizationId} and collection = ${collection}
                and ${withId(sql`id`, sql`claim.item_id`)}
              limit 1
            ) item on true
            offset 0
          ) found
          offset 0
        ) based
        offset 0
      ) changed
    )`;

/** The values of a line each, because PostgreSQL reads that in half of the time of one document. */
function givenRows(rows: readonly UpsertRow[]): RawBuilder<unknown> {
  const lines = (toLine: (row: UpsertRow) => string) =>
    sql`string_to_table(${rows.map(toLine).join('\n')}::text, E'\n')`;
  return sql`rows from (
              unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ key }) => key)}::text[],
                ${rows.map((row) => row.is_last)}::boolean[], ${rows.map((row) => row.is_double)}::boolean[]),
              ${lines(({ before }) => (before === undefined ? '' : JSON.stringify(before)))},
              ${lines(({ patch }) => JSON.stringify(patch))}
            ) given(id, key, is_last, is_double, before, patch)`;
}

/** What `values` say of other fields than those that are protected and true in `data`. */
function unlessProtected(
  fields: readonly string[],
  values: RawBuilder<unknown>,
  data: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (fields.length === 0) return values;
  const isKept = (field: string) => sql`${data} ->> ${field}::text = 'true'`;
  // Taking nothing away would still write the document anew.
  return sql`(case when ${sql.join(fields.map(isKept), sql` or `)}
    then ${values} - array[${sql.join(fields.map((field) => sql`case when ${isKept(field)} then ${field}::text end`))}]
    else ${values} end)`;
}

/** Which of these keys items have. */
export async function findTakenKeys(
  trx: Transaction,
  { organizationId, collection, keyField }: Pick<UpsertTarget, 'organizationId' | 'collection' | 'keyField'>,
  keys: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ value: string }>`
    select found.value from unnest(${keys}::text[]) key
    cross join lateral (
      select value from content_unique_values
      where organization_id = ${organizationId} and collection = ${collection} and field = ${keyField} and value = key
      limit 1
    ) found
  `.execute(trx);
  return new Set(rows.map(({ value }) => value));
}
