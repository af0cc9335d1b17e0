import { sql, type RawBuilder } from 'kysely';
import type { Owner } from '@reachout/contract/rules/owners.ts';
import { firstRowOf, firstValueOf, type Transaction } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { hasCurrentOwner, isUsableBySql } from '../../content/owners/owner.queries.ts';

/** @returns undefined also if the client or brand is deleted */
export const findFilterDefinition = (trx: Transaction, id: string) =>
  trx
    .selectFrom('filters')
    .select(['name', 'client_id', 'brand_id', 'is_active', 'collection', 'rule', 'field_mapping'])
    .where('id', '=', id)
    .where(hasCurrentOwner)
    .$call(prepared)
    .executeTakeFirst();

/** Lists filters by name, including those of deleted clients and brands, which may be restored. */
export const listFiltersOfCollection = (trx: Transaction, collection: string) =>
  trx
    .selectFrom('filters')
    .select(['id', 'name', 'rule', 'field_mapping'])
    .where('collection', '=', collection)
    .orderBy('name')
    .orderBy('id')
    .execute();

/**
 * The collection of contacts if other clients share it, even outside the access scope; undefined if it belongs to a client or
 * brand, and if there are no other clients. The label is null for a collection outside the access scope.
 */
export async function findSharedContacts(
  trx: Transaction,
  { collection, endpoint }: { collection: string; endpoint: string | null },
  clientId: string,
): Promise<{ collection: string; label: string | null } | undefined> {
  const [ownerOf, seen] =
    endpoint === null
      ? [sql`owner_of_collection`, sql`content_collections`]
      : [sql`remote_collection`, sql`directus_collections`];
  return await firstRowOf<{ collection: string; label: string | null }>(trx)`
    select ${collection}::text as collection,
      (select c.label from ${seen} c where c.collection = ${collection}) as label
    from ${ownerOf}(${collection}) owner
    where owner.client_id is null and has_other_clients(${clientId}::uuid)
  `;
}

interface ContentPlace {
  organizationId: string;
  /** Endpoint of the content backend; null for the built-in one. */
  endpoint: string | null;
}

/** Finds the first contact collection that a brand can use: its own, then its client's, then a shared one. */
export const findFirstContacts = (trx: Transaction, place: ContentPlace, brandId: string) =>
  findContacts(trx, place, isUsableBySql({ brand_id: brandId }));

/** Finds the first contact collection of all that the transaction sees: a shared one, if there is one. */
export const findAnyContacts = (trx: Transaction, place: ContentPlace) =>
  findContacts(trx, place, sql`true`, sql`client_id nulls first, brand_id nulls first`);

/**
 * Finds the contact collection of a brand, otherwise of its client; none that all clients share. Of what all clients
 * share, finds the first shared one.
 */
export const findOwnContacts = (trx: Transaction, place: ContentPlace, { client_id, brand_id }: Owner) =>
  findContacts(
    trx,
    place,
    client_id === null
      ? sql`client_id is null`
      : sql`client_id = ${client_id}::uuid and (brand_id is null or brand_id = ${brand_id}::uuid)`,
  );

const findContacts = (
  trx: Transaction,
  { organizationId, endpoint }: ContentPlace,
  condition: RawBuilder<unknown>,
  order = sql`brand_id, client_id`,
) => firstValueOf<string>(trx)`
  select collection from ${
    endpoint === null
      ? sql`content_collections c
        where organization_id = ${organizationId} and not hidden
          and exists (select from content_fields f
            where f.organization_id = c.organization_id and f.collection = c.collection and f.field = 'email')`
      : sql`directus_collections c
        where organization_id = ${organizationId} and fields @> '[{"field": "email"}]'`
  }
    and ${condition}
  order by ${order}, collection <> 'contacts', collection
  limit 1
`;

export async function findContactItem(
  trx: Transaction,
  organizationId: string,
  collection: string,
  id: string,
): Promise<Record<string, unknown> | undefined> {
  const item = await trx
    .selectFrom('content_items')
    .select('data')
    .where('organization_id', '=', organizationId)
    .where('collection', '=', collection)
    .where('id', '=', id)
    .executeTakeFirst();
  return item?.data as Record<string, unknown> | undefined;
}
