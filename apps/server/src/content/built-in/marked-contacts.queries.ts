import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import { whitespace } from '../../email/addresses/address.ts';
import { isUsableBySql } from '../owners/owner.queries.ts';
import { findSearchCandidates } from './search-index.queries.ts';

/**
 * Whether a contact is marked as unsubscribed, in a list that the brand can use.
 * @param spellings  of its address, in lower case
 */
export async function isMarkedContact(
  trx: Transaction,
  organizationId: string,
  brandId: string,
  spellings: readonly string[],
): Promise<boolean> {
  // Looks the contact up instead of joining it: a join that was planned for few contacts would later read all of them.
  const { rows } = await sql<{ is_marked: boolean; others: string[] }>`
    with usable as materialized (
      select collection from content_collections where organization_id = ${organizationId} and ${isUsableBySql({ brand_id: brandId })}
    )
    select exists (
      select from content_unique_values v
      where v.organization_id = ${organizationId} and v.field = 'email' and v.value = any(${spellings}::text[])
        and v.collection = any(array(select collection from usable))
        and (select i.data ->> 'unsubscribed' from content_items i
          where i.organization_id = v.organization_id and i.collection = v.collection and i.id = v.item_id limit 1) = 'true'
    ) as is_marked, array(
      select f.collection from content_fields f
      where f.organization_id = ${organizationId} and f.field = 'email' and not f.is_unique
        and f.collection = any(array(select collection from usable))
        and exists (select from content_fields m where m.organization_id = f.organization_id
          and m.collection = f.collection and m.field = 'unsubscribed' and m.type = 'boolean')
      order by 1
    ) as others
  `.execute(trx);
  const { is_marked, others } = rows[0]!;
  return is_marked || (await isInAny(trx, organizationId, others, spellings, { isMarked: true }));
}

/**
 * Whether a list that the brand can use has a contact with this address that is not marked as unsubscribed.
 * @param spellings  of its address, in lower case
 */
export async function isUnmarkedContact(
  trx: Transaction,
  organizationId: string,
  brandId: string,
  spellings: readonly string[],
): Promise<boolean> {
  const { rows } = await sql<{ is_contact: boolean; others: string[] }>`
    with usable as materialized (
      select collection from content_collections where organization_id = ${organizationId} and ${isUsableBySql({ brand_id: brandId })}
    )
    select exists (
      select from content_unique_values v
      where v.organization_id = ${organizationId} and v.field = 'email' and v.value = any(${spellings}::text[])
        and v.collection = any(array(select collection from usable))
        and (select i.data ->> 'unsubscribed' from content_items i
          where i.organization_id = v.organization_id and i.collection = v.collection and i.id = v.item_id limit 1)
          is distinct from 'true'
    ) as is_contact, array(
      select f.collection from content_fields f
      where f.organization_id = ${organizationId} and f.field = 'email' and not f.is_unique
        and f.collection = any(array(select collection from usable))
      order by 1
    ) as others
  `.execute(trx);
  const { is_contact: isContact, others } = rows[0]!;
  return isContact || (await isInAny(trx, organizationId, others, spellings, { isMarked: false }));
}

/** Whether lists whose addresses are not unique have such a contact: the search index finds those to look at. */
async function isInAny(
  trx: Transaction,
  organizationId: string,
  collections: readonly string[],
  spellings: readonly string[],
  { isMarked }: { isMarked: boolean },
): Promise<boolean> {
  for (const collection of collections)
    for (const spelling of spellings) {
      const candidates = await findSearchCandidates(trx, collection, spelling);
      const { rows } = await sql`
        select from content_items
        where organization_id = ${organizationId} and collection = ${collection}
          and ${candidates?.isComplete === true ? sql`id = any(${candidates.ids}::text[])` : sql`true`}
          and coalesce(data ->> 'unsubscribed', 'false') = ${String(isMarked)} and lower(btrim(data ->> 'email', ${whitespace})) = ${spelling}
        limit 1
      `.execute(trx);
      if (rows.length > 0) return true;
    }
  return false;
}
