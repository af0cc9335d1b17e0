import { sql, type RawBuilder } from 'kysely';
import { execute, type Row, type Transaction } from '../../platform/database/database.ts';
import type { JsonValue } from '../backend/field-values.ts';
import { queueForSearch, removeFromSearch } from './search-index.queries.ts';
import { type ItemRow, type ItemKey, isItem } from './items.queries.ts';

/** A value of a unique field, normalized for comparison. */
export type UniqueValue = Row<'content_unique_values', 'field' | 'value'>;

interface ItemChange extends ItemKey {
  data: Record<string, JsonValue>;
  /** Values of unique fields that the item newly claims. */
  claims: readonly UniqueValue[];
}

/**
 * The result of a write. `clashes` are the fields whose value another item has; if there are any, the caller must roll back.
 */
interface WriteResult {
  clashes: string[];
  item: ItemRow | undefined;
}

/** Stores an item and claims its unique values in one statement. An existing item with this id is a clash in `id`. */
export async function insertItem(
  trx: Transaction,
  change: ItemChange & { userCreated: string | null },
): Promise<WriteResult> {
  const { rows } = await sql<ItemRow & { claimed: string[] }>`
    with claimed as (${claim(change)}),
    item as (
      insert into content_items (organization_id, collection, id, data, user_created)
      values (${change.organizationId}, ${change.collection}, ${change.id}, ${JSON.stringify(change.data)},
        ${change.userCreated})
      on conflict (organization_id, collection, id) do nothing
      returning id, data, user_created, date_created, date_updated
    ),
    counted as (
      update content_collections set items_count = items_count + (select count(*) from item)
      where organization_id = ${change.organizationId} and collection = ${change.collection}
    ),
    queued as (${queueForSearch(change, sql`item`)})
    select item.*, array(select field from claimed) as claimed from (values (1)) one left join item on true
  `.execute(trx);
  return toResult(change, rows[0], 'id');
}

/**
 * Replaces the data of an item. `claims` are the unique values that it gains, `released` those that it loses.
 */
export async function updateItem(
  trx: Transaction,
  change: ItemChange & { released: readonly UniqueValue[] },
): Promise<WriteResult> {
  const { rows } = await sql<ItemRow & { claimed: string[] }>`
    with released as (${release(change, change.released)}),
    claimed as (${claim(change)}),
    item as (
      update content_items item
      set data = ${JSON.stringify(change.data)}, date_updated = ${laterDate}
      where ${isItem(change)}
      returning id, data, user_created, date_created, date_updated
    ),
    queued as (${queueForSearch(change, sql`item`)})
    select item.*, array(select field from claimed) as claimed from (values (1)) one left join item on true
  `.execute(trx);
  return toResult(change, rows[0], undefined);
}

/** Always at least 1 ms later than before, so that changes made in between can be detected. */
const laterDate = sql`greatest(now(), item.date_updated + interval '1 millisecond')`;

const claim = ({ organizationId, collection, id, claims }: ItemChange): RawBuilder<unknown> => sql`
  insert into content_unique_values (organization_id, collection, field, value, item_id)
  select ${organizationId}::uuid, ${collection}, field, value, ${id}
  from json_to_recordset(${JSON.stringify(claims)}) claim(field text, value text)
  on conflict do nothing
  returning field`;

const release = (
  { organizationId, collection, id }: ItemKey,
  released: readonly UniqueValue[],
): RawBuilder<unknown> => sql`
  delete from content_unique_values claim
  using json_to_recordset(${JSON.stringify(released)}) released(field text, value text)
  where claim.organization_id = ${organizationId} and claim.collection = ${collection}
    and claim.field = released.field and claim.value = released.value and claim.item_id = ${id}`;

function toResult(
  { claims }: ItemChange,
  row: (ItemRow & { claimed: string[] }) | undefined,
  keyField: string | undefined,
): WriteResult {
  const { claimed = [], ...item } = row ?? {};
  const clashes = claims.map(({ field }) => field).filter((field) => !claimed.includes(field));
  const isStored = 'id' in item && item.id !== null;
  return {
    clashes: isStored || keyField === undefined ? clashes : [keyField, ...clashes],
    item: isStored ? item : undefined,
  };
}

/** Sets the boolean field `unsubscribed` of the contact, if its collection has one. */
export const markUnsubscribed = (trx: Transaction, key: ItemKey, isUnsubscribed: boolean): Promise<void> =>
  mark(trx, key, isItem(key), isUnsubscribed);

/** @param keys  values of the unique field `keyField`, normalized for comparison */
export const markUnsubscribedByKeys = (
  trx: Transaction,
  { organizationId, collection, keyField }: Omit<ItemKey, 'id'> & { keyField: string },
  keys: readonly string[],
): Promise<void> => {
  const claimed = sql`
    select item_id from content_unique_values
    where organization_id = ${organizationId} and collection = ${collection} and field = ${keyField}
      and value = any(${keys}::text[])`;
  const isClaiming = sql<boolean>`item.organization_id = ${organizationId} and item.collection = ${collection}
    and item.id = any(array(${claimed}))`;
  return mark(trx, { organizationId, collection }, isClaiming, true);
};

async function mark(
  trx: Transaction,
  { organizationId, collection }: Omit<ItemKey, 'id'>,
  matching: RawBuilder<boolean>,
  isUnsubscribed: boolean,
): Promise<void> {
  // Searches ignore booleans, so nothing is queued for the search index.
  await execute(trx)`
    update content_items item
    set data = data || jsonb_build_object('unsubscribed', ${isUnsubscribed}::boolean), date_updated = ${laterDate}
    where ${matching} and coalesce(data ->> 'unsubscribed', 'false') <> ${String(isUnsubscribed)}
      and exists (
        select from content_fields f
        where f.organization_id = ${organizationId} and f.collection = ${collection}
          and f.field = 'unsubscribed' and f.type = 'boolean'
      )
  `;
}

/** Deletes an item and releases its unique values. */
export const deleteItem = (trx: Transaction, key: ItemKey, released: readonly UniqueValue[]) => execute(trx)`
  with released as (${release(key, released)}),
  removed as (${removeFromSearch(key)}),
  deleted as (delete from content_items item where ${isItem(key)} returning 1)
  update content_collections set items_count = items_count - (select count(*) from deleted)
  where organization_id = ${key.organizationId} and collection = ${key.collection}
`;
