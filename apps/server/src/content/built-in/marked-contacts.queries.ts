import { sql } from 'kysely';
import { hasRows, onlyRowOf, type Transaction } from '../../platform/database/database.ts';
import { whitespace } from '../../email/addresses/address.ts';
import { isUsableBySql } from '../owners/owner.queries.ts';
import { findSearchCandidates } from './search-index.queries.ts';

interface Address {
  organizationId: string;
  /** Contacts are looked for in the lists that it can use. */
  brandId: string;
  /** In lower case. */
  spellings: readonly string[];
}

/** Whether a contact with the address is marked as unsubscribed. */
export const isMarkedContact = (trx: Transaction, address: Address) => isContactThat(trx, address, true);

/** Whether a contact with the address is not marked as unsubscribed. */
export const isUnmarkedContact = (trx: Transaction, address: Address) => isContactThat(trx, address, false);

async function isContactThat(trx: Transaction, address: Address, isMarked: boolean): Promise<boolean> {
  const { organizationId, brandId, spellings } = address;
  const canMark = sql`exists (select from content_fields m where m.organization_id = f.organization_id
    and m.collection = f.collection and m.field = 'unsubscribed' and m.type = 'boolean')`;
  // Looks the contact up instead of joining it: a join that was planned for few contacts would later read all of them.
  const { is_contact: isContact, others } = await onlyRowOf<{ is_contact: boolean; others: string[] }>(trx)`
    with usable as materialized (
      select collection from content_collections where organization_id = ${organizationId} and ${isUsableBySql({ brand_id: brandId })}
    )
    select exists (
      select from content_unique_values v
      where v.organization_id = ${organizationId} and v.field = 'email' and v.value = any(${spellings}::text[])
        and v.collection = any(array(select collection from usable))
        and (select i.data ->> 'unsubscribed' from content_items i
          where i.organization_id = v.organization_id and i.collection = v.collection and i.id = v.item_id limit 1)
          ${isMarked ? sql`= 'true'` : sql`is distinct from 'true'`}
    ) as is_contact, array(
      select f.collection from content_fields f
      where f.organization_id = ${organizationId} and f.field = 'email' and not f.is_unique
        and f.collection = any(array(select collection from usable)) and ${isMarked ? canMark : sql`true`}
      order by 1
    ) as others
  `;
  return isContact || (await isInAny(trx, address, others, isMarked));
}

/** Whether lists whose addresses are not unique have such a contact: the search index finds those to look at. */
async function isInAny(
  trx: Transaction,
  { organizationId, spellings }: Address,
  collections: readonly string[],
  isMarked: boolean,
): Promise<boolean> {
  for (const collection of collections)
    for (const spelling of spellings) {
      const candidates = await findSearchCandidates(trx, collection, spelling);
      const isFound = await hasRows(trx)`
        select from content_items
        where organization_id = ${organizationId} and collection = ${collection}
          and ${candidates?.isComplete === true ? sql`id = any(${candidates.ids}::text[])` : sql`true`}
          and coalesce(data ->> 'unsubscribed', 'false') = ${String(isMarked)} and lower(btrim(data ->> 'email', ${whitespace})) = ${spelling}
        limit 1
      `;
      if (isFound) return true;
    }
  return false;
}
