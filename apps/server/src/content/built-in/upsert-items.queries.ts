import { sql, type RawBuilder } from 'kysely';
import { DatabaseError } from 'pg';
import { execute, type Transaction } from '../../platform/database/database.ts';
import { withId } from './item-by-id.queries.ts';
import { queueForSearch } from './search-index.queries.ts';

export interface UpsertRow {
  /** Used if the row creates an item. */
  id: string;
  key: string;
  /** The values of earlier rows with the same key in this batch; undefined for the first. */
  before: Record<string, unknown> | undefined;
  patch: Record<string, unknown>;
  is_last: boolean;
  /** An earlier row of the file has the same key: this one counts as merged only. */
  is_double: boolean;
}

export interface UpsertTarget {
  organizationId: string;
  collection: string;
  /** Null: each row is a new item. */
  keyField: string | null;
  /** Initial data of new items. */
  defaults: Record<string, unknown>;
  protectedFields: readonly string[];
  userCreated: string | null;
}

/** The values of `email` of a contact that was matched by another field, before and after. */
export interface MovedContact {
  from: string;
  /** Null if it was removed. */
  to: string | null;
}

/** Each row is counted exactly once. */
export interface UpsertCounts {
  created: number;
  updated: number;
  unchanged: number;
  merged: number;
}

/** Says that the transaction stores what a file or a change of a field brings: no event begins with that (db/functions/reactions.sql). */
export const beginImport = (trx: Transaction) =>
  execute(trx)`select set_config('reachout.is_import', 'on', true)`;

/**
 * Creates and updates items by their key in one statement.
 *
 * A protected field that is true stays true, whatever the file contains. Items are only overwritten if they are unchanged
 * since they were read: if a concurrent transaction changed one, or claimed a key, `isComplete` is false. The caller must
 * then roll back; a new transaction sees the change.
 *
 * The statement leaves the planner only one plan: `lateral` with a limit, and `on conflict`, look items up by key, one by
 * one. PostgreSQL has no statistics for an organization created after the last `analyze` and assumes that it is empty; with
 * plain joins it scanned all of its items for each row (200 rows/s instead of 30,000). New keys are claimed without
 * `on conflict`, which would look each one up again (3 of 27 us per row).
 */
export async function upsertItems(
  trx: Transaction,
  target: UpsertTarget,
  rows: readonly UpsertRow[],
): Promise<UpsertCounts & { isComplete: boolean; moved: MovedContact[] }> {
  try {
    const { changes, changed, ...counted } = await upsert(trx, target, rows);
    return { ...counted, isComplete: changes === changed };
  } catch (error) {
    if (!isKeyTaken(error)) throw error;
    return { created: 0, updated: 0, unchanged: 0, merged: 0, isComplete: false, moved: [] };
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
): Promise<UpsertCounts & Record<'changes' | 'changed', number> & { moved: MovedContact[] }> {
  const { organizationId, collection, keyField, userCreated } = target;
  const result = await sql<UpsertCounts & Record<'changes' | 'changed', number> & { moved: MovedContact[] }>`
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
      (select count(*) from changed where not is_new) as changed,
      coalesce(json_agg(json_build_object('from', former_email, 'to', next ->> 'email'))
        filter (where is_last and former_email <> ''), '[]') as moved
    from compared
  `.execute(trx);
  return result.rows[0]!;
}

/** The items that `upsertItems` creates and changes. */
const written = sql`(
        select coalesce(item_id, id) as id from compared
        where is_last and is_other
      )`;

/** Dry run of `upsertItems`: counts what it would do with the rows. */
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
 * Joins each row with its item and computes `next`, the item's data after the row; `is_update`: whether it differs from the
 * data after the previous rows; `is_other`: whether it differs from the stored data. `offset 0` keeps PostgreSQL from
 * evaluating the expressions of a level again at each use.
 */
const comparedRows = (
  { organizationId, collection, keyField, defaults, protectedFields }: UpsertTarget,
  rows: readonly UpsertRow[],
): RawBuilder<unknown> => sql`
    with compared as materialized (
      select id, key, is_last, is_double, item_id, date_updated, next,
        next <> base as is_update, next is distinct from stored as is_other,
        ${keyField === 'email' ? sql`null::text` : sql`nullif(stored ->> 'email', next ->> 'email')`} as former_email
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

/** Passes JSON values as one line each, because PostgreSQL parses that in half the time of one document. */
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

/** `values` without the protected fields that are true in `data`. */
function unlessProtected(
  fields: readonly string[],
  values: RawBuilder<unknown>,
  data: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (fields.length === 0) return values;
  const isKept = (field: string) => sql`${data} ->> ${field}::text = 'true'`;
  // `-` builds the document again even if it removes nothing.
  return sql`(case when ${sql.join(fields.map(isKept), sql` or `)}
    then ${values} - array[${sql.join(fields.map((field) => sql`case when ${isKept(field)} then ${field}::text end`))}]
    else ${values} end)`;
}

/** @returns those of the keys that belong to an existing item */
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
