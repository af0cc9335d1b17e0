import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import type { JsonValue } from '../backend/field-values.ts';
import type { UniqueValue } from './write-item.queries.ts';
import { queueForSearch } from './search-index.queries.ts';

export interface PastItem {
  id: string;
  /** Used as both `date_created` and `date_updated`. */
  at: Date;
  data: Record<string, JsonValue>;
  claims: readonly UniqueValue[];
}

/** Stores new items and claims their unique values. @returns the number claimed; fewer than given means some are taken */
export async function insertPastItems(
  trx: Transaction,
  owner: { organizationId: string; collection: string; userCreated: string | null },
  items: readonly PastItem[],
): Promise<number> {
  const { organizationId, collection, userCreated } = owner;
  const { rows } = await sql<{ claimed: number }>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(items)}::json) as g(id text, at timestamptz, data jsonb, claims json)
    ), claimed as (
      insert into content_unique_values (organization_id, collection, field, value, item_id)
      select ${organizationId}::uuid, ${collection}, claim.field, claim.value, given.id
      from given
      cross join lateral json_to_recordset(given.claims) as claim(field text, value text)
      on conflict do nothing
      returning 1
    ), inserted as (
      insert into content_items (organization_id, collection, id, data, user_created, date_created, date_updated)
      select ${organizationId}::uuid, ${collection}, id, data, ${userCreated}::uuid, at, at from given
      returning 1
    ), counted as (
      update content_collections set items_count = items_count + (select count(*) from inserted)
      where organization_id = ${organizationId} and collection = ${collection}
    ), queued as (${queueForSearch(owner, sql`given`)})
    select count(*) as claimed from claimed
  `.execute(trx);
  return rows[0]!.claimed;
}
