import { sql } from 'kysely';
import { valuesOf, type Transaction } from '../../platform/database/database.ts';
import { entering, insertResubscription, type NewConsent } from './choices.queries.ts';

// Opt-outs that come from the field `unsubscribed` of contacts.

/** What an opt-out that does not come as a row has in common with the others. */
const newOptOut = sql`gen_random_uuid() as id, 'suppression' as kind, null::uuid as topic_id, 'unsubscribe' as value,
  null::timestamptz as until, null as source, null::uuid as send_id, null::int as seq, null as note,
  null::timestamptz as occurred_at, now() as changed_at`;

/** A collection of contacts that an import writes to. */
export interface ImportedContacts {
  organizationId: string;
  collection: string;
  importId: string;
  /** The unique field by which the import matches contacts. */
  keyField: string;
  userCreated: string | null;
}

/**
 * Enters the opt-outs that an import has stored, for each of the brands.
 * @param keys  distinct contact keys: normalized values of the key field
 */
export async function enterImportedOptOuts(
  trx: Transaction,
  { organizationId, collection, importId, keyField, userCreated }: ImportedContacts,
  brandIds: readonly (string | null)[],
  keys: readonly string[],
): Promise<void> {
  await entering(sql`
    select ${organizationId}::uuid as organization_id, lower(item.data ->> 'email') as address_key, brand.id as brand_id,
      ${userCreated}::uuid as created_by, ${importId}::uuid as import_id, ${newOptOut}
    from unnest(${[...keys]}::text[]) given(key)
    cross join unnest(${[...brandIds]}::uuid[]) brand(id)
    cross join lateral (
      select item_id from content_unique_values
      where organization_id = ${organizationId} and collection = ${collection} and field = ${keyField} and value = given.key
      limit 1
    ) claim
    cross join lateral (
      select data from content_items
      where organization_id = ${organizationId} and collection = ${collection} and id = claim.item_id
      limit 1
    ) item
    where item.data ->> 'unsubscribed' = 'true' and item.data ->> 'email' <> ''
  `).execute(trx);
}

/**
 * Replaces the mark `unsubscribed` of a contact who has signed up for mail of one brand: the other brands that it applied to get
 * an opt-out each. The caller removes the mark itself.
 */
export async function replaceMark(trx: Transaction, consent: NewConsent, collection: string): Promise<void> {
  const { organizationId, brandId, addressKey } = consent;
  await entering(sql`
    select b.organization_id, ${addressKey} as address_key, b.id as brand_id, null::uuid as created_by, null::uuid as import_id,
      ${newOptOut}
    from content_collections c
    join brands b on b.organization_id = c.organization_id and b.id <> ${brandId}
      and (c.client_id is null or b.client_id = c.client_id) and (c.brand_id is null or b.id = c.brand_id)
    where c.organization_id = ${organizationId} and c.collection = ${collection}
  `).execute(trx);
  await insertResubscription(trx, { ...consent, createdBy: null });
}

/**
 * Lists the brands that the field `unsubscribed` of a collection's contacts applies to: the brands of the collection's
 * owner, or null (all brands) for a shared collection.
 */
export const listBrandsOfCollection = (
  trx: Transaction,
  organizationId: string,
  collection: string,
) => valuesOf<string | null>(trx)`
  select b.id as brand_id
  from content_collections c
  left join brands b on b.organization_id = c.organization_id and b.client_id = c.client_id
    and (c.brand_id is null or b.id = c.brand_id)
  where c.organization_id = ${organizationId} and c.collection = ${collection} and (c.client_id is null or b.id is not null)
  order by b.id
`;
