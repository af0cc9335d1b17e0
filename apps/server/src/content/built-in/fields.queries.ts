import { sql, type RawBuilder } from 'kysely';
import { onlyValueOf, type Transaction } from '../../platform/database/database.ts';
import type { JsonValue } from '../backend/field-values.ts';
import { toFieldColumns, type NewField } from './collections.queries.ts';
import type { UniqueValue } from './write-item.queries.ts';
import { queueForSearch } from './search-index.queries.ts';
import { streamRows } from './stream-rows.queries.ts';

/** A collection of one organization. */
export interface CollectionKey {
  organizationId: string;
  collection: string;
}

export interface FieldKey extends CollectionKey {
  field: string;
}

/**
 * Locks the fields of a collection until the transaction ends: shared by transactions that write items, exclusive for one
 * that changes the fields. Read the fields in a later statement, which sees what was committed during the wait.
 */
export async function lockFields(
  trx: Transaction,
  { organizationId, collection }: CollectionKey,
  mode: 'write items' | 'change fields',
): Promise<void> {
  const key = sql`hashtextextended(${`fields of ${organizationId} ${collection}`}, 0)`;
  await (
    mode === 'write items'
      ? sql`select pg_advisory_xact_lock_shared(${key})`
      : sql`select pg_advisory_xact_lock(${key})`
  ).execute(trx);
}

export async function updateField(
  trx: Transaction,
  { organizationId, collection }: CollectionKey,
  field: NewField,
): Promise<void> {
  await trx
    .updateTable('content_fields')
    .set(toFieldColumns(field))
    .where('organization_id', '=', organizationId)
    .where('collection', '=', collection)
    .where('field', '=', field.name)
    .execute();
}

export async function deleteField(
  trx: Transaction,
  { organizationId, collection, field }: FieldKey,
): Promise<void> {
  await trx
    .deleteFrom('content_fields')
    .where('organization_id', '=', organizationId)
    .where('collection', '=', collection)
    .where('field', '=', field)
    .execute();
}

const isOf = ({ organizationId, collection }: CollectionKey): RawBuilder<boolean> =>
  sql`item.organization_id = ${organizationId} and item.collection = ${collection}`;

const valueOf = ({ field }: FieldKey): RawBuilder<JsonValue> => sql`item.data -> ${field}::text`;

/** Counts items without a value; null and an empty string are not values. */
export const countMissing = (trx: Transaction, key: FieldKey) => onlyValueOf<number>(trx)`
  select count(*) as count from content_items item
  where ${isOf(key)} and coalesce(item.data ->> ${key.field}::text, '') = ''
`;

const hasValue = (key: FieldKey): RawBuilder<boolean> =>
  sql`${isOf(key)} and ${valueOf(key)} is not null and ${valueOf(key)} <> 'null'::jsonb`;

export const countValues = (trx: Transaction, key: FieldKey, max: number) => onlyValueOf<number>(trx)`
  select count(*) as count from (select from content_items item where ${hasValue(key)} limit ${max}) found
`;

export interface StoredValue {
  id: string;
  value: JsonValue;
}

export const streamValues = (trx: Transaction, key: FieldKey): AsyncGenerator<StoredValue[]> =>
  streamRows(
    trx,
    sql<StoredValue>`select item.id, ${valueOf(key)} as value from content_items item where ${hasValue(key)}`,
  );

export async function updateValues(
  trx: Transaction,
  key: FieldKey,
  values: readonly StoredValue[],
): Promise<void> {
  if (values.length === 0) return;
  await sql`
    with changed as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) given(id text, value jsonb)
    ),
    queued as (${queueForSearch(key, sql`changed`)})
    update content_items item
    set data = item.data || jsonb_build_object(${key.field}::text, changed.value)
    from changed
    where ${isOf(key)} and item.id = changed.id
  `.execute(trx);
}

/** @returns the number of claims inserted; the others belong to another item already */
export async function insertClaims(
  trx: Transaction,
  { organizationId, collection, field }: FieldKey,
  claims: readonly { id: string; value: UniqueValue['value'] }[],
): Promise<number> {
  if (claims.length === 0) return 0;
  const { numAffectedRows } = await sql`
    insert into content_unique_values (organization_id, collection, field, value, item_id)
    select ${organizationId}::uuid, ${collection}, ${field}, value, id
    from json_to_recordset(${JSON.stringify(claims)}) claim(id text, value text)
    on conflict do nothing
  `.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/** Deletes up to `max` unique-value claims of a field. @returns the number deleted */
export async function deleteClaims(
  trx: Transaction,
  { organizationId, collection, field }: FieldKey,
  max: number,
): Promise<number> {
  const isClaim = sql`organization_id = ${organizationId} and collection = ${collection} and field = ${field}`;
  const { numAffectedRows } = await sql`
    delete from content_unique_values
    where ${isClaim} and value = any(array(select value from content_unique_values where ${isClaim} limit ${max}))
  `.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Removes the values of a field from the next `max` items after `afterId`, in id order.
 * @returns the id of the last item examined; undefined when there are no more
 */
export async function stripValues(
  trx: Transaction,
  key: FieldKey,
  afterId: string,
  max: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ last: string | null }>`
    with seen as materialized (
      select item.id from content_items item where ${isOf(key)} and item.id > ${afterId} order by item.id limit ${max}
    ),
    stripped as (
      update content_items item set data = item.data - ${key.field}::text
      from seen where ${isOf(key)} and item.id = seen.id and item.data ? ${key.field}::text
      returning item.id
    ),
    queued as (${queueForSearch(key, sql`stripped`)})
    select max(id) as last from seen
  `.execute(trx);
  return rows[0]?.last ?? undefined;
}
