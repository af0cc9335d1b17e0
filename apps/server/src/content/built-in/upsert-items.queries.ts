import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import { withId } from './item-by-id.queries.ts';
import { queueForSearch } from './search-index.queries.ts';

export interface UpsertRow {
  /** For a new item. */
  id: string;
  key: string;
  /** The values of earlier rows with the same key in this batch; `{}` for the first. */
  before: Record<string, unknown>;
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
 * somebody else changed one, or took a key, at the same moment, the counts do not come out and `isComplete` is false.
 * Then nothing may be committed, and a new transaction will see the change.
 *
 * The statement is written so that there is only one plan: `lateral` with a limit, and `on conflict`, look items up by
 * their key one by one. PostgreSQL knows nothing of an organization that came after its last `analyze`, takes it for
 * empty, and with plain joins walked through all of its items for each row (200 rows/s instead of 30,000).
 */
export async function upsertItems(
  trx: Transaction,
  target: UpsertTarget,
  rows: readonly UpsertRow[],
): Promise<UpsertCounts & { isComplete: boolean }> {
  const { organizationId, collection, keyField, userCreated } = target;
  const result = await sql<UpsertCounts & Record<'inserts' | 'changes' | 'claimed' | 'changed', number>>`
    ${judgedRows(target, rows)},
    claimed as (
      insert into content_unique_values (organization_id, collection, field, value, item_id)
      select ${organizationId}::uuid, ${collection}, ${keyField}, key, id
      from judged where item_id is null and is_last and ${keyField}::text is not null
      order by key
      on conflict do nothing
      returning 1
    ),
    inserted as (
      insert into content_items (organization_id, collection, id, data, user_created)
      select ${organizationId}::uuid, ${collection}, id, next, ${userCreated}::uuid
      from judged where item_id is null and is_last
      returning 1
    ),
    counted as (
      update content_collections set items_count = items_count + (select count(*) from inserted)
      where organization_id = ${organizationId} and collection = ${collection} and exists (select from inserted)
    ),
    changed as (
      insert into content_items (organization_id, collection, id, data, date_updated)
      select ${organizationId}::uuid, ${collection}, item_id, next, date_updated
      from judged where item_id is not null and is_last and next is distinct from stored
      on conflict (organization_id, collection, id) do update
      set data = excluded.data, date_updated = greatest(now(), content_items.date_updated + interval '1 millisecond')
      where content_items.date_updated = excluded.date_updated
      returning xmax = 0 as is_new
    ),
    queued as (${queueForSearch(target, written)})
    select
      ${counts},
      count(*) filter (where item_id is null and is_last) as inserts,
      count(*) filter (where item_id is not null and is_last and next is distinct from stored) as changes,
      (select count(*) from claimed) as claimed,
      (select count(*) from changed where not is_new) as changed
    from judged
  `.execute(trx);
  const { inserts, changes, claimed, changed, ...counted } = result.rows[0]!;
  const isClaimed = keyField === null || inserts === claimed;
  return { ...counted, isComplete: isClaimed && changes === changed };
}

/** The items that `upsertItems` creates and changes. */
const written = sql`(
        select coalesce(item_id, id) as id from judged
        where is_last and (item_id is null or next is distinct from stored)
      )`;

/** What `upsertItems` would do with the rows, without doing it. */
export async function countUpserts(
  trx: Transaction,
  target: UpsertTarget,
  rows: readonly UpsertRow[],
): Promise<UpsertCounts> {
  const result = await sql<UpsertCounts>`${judgedRows(target, rows)} select ${counts} from judged`.execute(
    trx,
  );
  return result.rows[0]!;
}

const counts = sql`
      count(*) filter (where not is_double and item_id is null) as created,
      count(*) filter (where not is_double and item_id is not null and next <> base) as updated,
      count(*) filter (where not is_double and item_id is not null and next = base) as unchanged,
      count(*) filter (where is_double) as merged`;

/** Each row with the item it is about, `base` before it, and `next` after it. */
const judgedRows = (
  { organizationId, collection, keyField, defaults, protectedFields }: UpsertTarget,
  rows: readonly UpsertRow[],
): RawBuilder<unknown> => sql`
    with found as materialized (
      select given.*, claim.item_id, item.data as stored, item.date_updated,
        coalesce(item.data, ${JSON.stringify(defaults)}::jsonb) as start
      from jsonb_to_recordset(${JSON.stringify(rows)})
        given(id text, key text, before jsonb, patch jsonb, is_last boolean, is_double boolean)
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
    ),
    based as materialized (
      select *, start || (before - array(
        select field from unnest(${protectedFields}::text[]) field where start ->> field = 'true')) as base
      from found
    ),
    judged as materialized (
      select *, base || (patch - array(
        select field from unnest(${protectedFields}::text[]) field where base ->> field = 'true')) as next
      from based
    )`;

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
