import { sql } from 'kysely';
import type { Owner } from '@reachout/contract/rules/owners.ts';
import { onlyRowOf, rowsOf, valuesOf, type Transaction } from '../../platform/database/database.ts';
import { countRows } from '../../platform/database/list-page.ts';
import { hasCurrentOwner, isUsableBySql, type UsableBy } from '../owners/owner.queries.ts';
import type { SeenCollection, SeenField } from './describe-fields.ts';

/** How long rows of removed collections without a client are kept. */
const daysKept = 90;

/** Stores the current collections of the Directus. Owners and labels stay unchanged. */
export async function storeSeenCollections(
  trx: Transaction,
  organization_id: string,
  collections: readonly SeenCollection[],
): Promise<void> {
  await sql`
    insert into directus_collections (organization_id, collection, key_type, fields, relations, items_count)
    select ${organization_id}, seen.collection, seen.key_type, seen.fields, seen.relations, coalesce(seen.items_count, 0)
    from jsonb_to_recordset(${JSON.stringify(collections)}::jsonb)
      as seen (collection text, key_type text, fields jsonb, relations jsonb, items_count bigint)
    on conflict (organization_id, collection) do update
      set key_type = excluded.key_type, fields = excluded.fields, relations = excluded.relations, items_count = excluded.items_count, seen_at = now()
  `.execute(trx);
  await trx
    .deleteFrom('directus_collections')
    .where('organization_id', '=', organization_id)
    .where('client_id', 'is', null)
    .where('seen_at', '<', sql<string>`now() - make_interval(days => ${daysKept})`)
    .execute();
}

/** Used when another Directus is connected. */
export const deleteSeenCollections = (trx: Transaction, organizationId: string) =>
  trx.deleteFrom('directus_collections').where('organization_id', '=', organizationId).execute();

export interface SeenRow extends Owner, Omit<SeenCollection, 'relations'> {
  label: string | null;
}

const seenColumns = [
  'collection',
  'label',
  'key_type',
  sql<SeenField[]>`fields`.as('fields'),
  'items_count',
  'client_id',
  'brand_id',
] as const;

/** Lists collections within the access scope, without those of deleted clients and brands. */
export const listSeenCollections = (trx: Transaction, organizationId: string, usableBy: UsableBy = {}) =>
  trx
    .selectFrom('directus_collections')
    .select(seenColumns)
    .where('organization_id', '=', organizationId)
    .where(hasCurrentOwner)
    .where(isUsableBySql(usableBy))
    .orderBy(sql`lower(coalesce(label, collection))`)
    .orderBy('collection')
    .execute();

/** @param lock  row lock to hold until the transaction ends */
export const findSeenCollection = (
  trx: Transaction,
  organizationId: string,
  collection: string,
  { lock }: { lock?: 'update' | 'keyShare' } = {},
): Promise<SeenRow | undefined> =>
  trx
    .selectFrom('directus_collections')
    .select(seenColumns)
    .where('organization_id', '=', organizationId)
    .where('collection', '=', collection)
    .where(hasCurrentOwner)
    .$if(lock === 'update', (query) => query.forUpdate())
    .$if(lock === 'keyShare', (query) => query.forKeyShare())
    .executeTakeFirst();

/** A collection that a relation leads to. */
export type RelatedRow = Owner & Pick<SeenCollection, 'collection' | 'fields' | 'relations'>;

/**
 * Finds collections by name, without those of deleted clients and brands.
 * @param of  whose access scope they must be in: that of the caller, or the whole organization
 */
export const findRelatedCollections = (
  trx: Transaction,
  organizationId: string,
  names: readonly string[],
  of: 'caller' | 'organization',
) => rowsOf<RelatedRow>(trx)`
  select wanted.collection, c.client_id, c.brand_id, c.fields, c.relations
  from unnest(${names}::text[]) wanted (collection)
  cross join lateral ${
    of === 'organization'
      ? sql`remote_collection(wanted.collection) c`
      : sql`(select * from directus_collections
          where organization_id = ${organizationId} and collection = wanted.collection and ${hasCurrentOwner}) c`
  }
`;

export async function updateSeenCollection(
  trx: Transaction,
  organizationId: string,
  collection: string,
  changes: Partial<Owner & { label: string }>,
): Promise<void> {
  await trx
    .updateTable('directus_collections')
    .set(changes)
    .where('organization_id', '=', organizationId)
    .where('collection', '=', collection)
    .execute();
}

export interface CollectionAccess {
  /** Whether the member's access scope is the whole organization. */
  isFull: boolean;
  /** Whether the collection was seen and is within the access scope. */
  isSeen: boolean;
  /** Whether neither its client nor its brand is deleted. */
  isCurrent: boolean;
  keyType: SeenCollection['key_type'] | null;
}

export const findCollectionAccess = (
  trx: Transaction,
  organizationId: string,
  collection: string,
) => onlyRowOf<CollectionAccess>(trx)`
  select has_full_access_scope() as "isFull", c.collection is not null as "isSeen",
    coalesce(c.is_current, false) as "isCurrent", c.key_type as "keyType"
  from (select) one
  left join (
    select collection, key_type, ${hasCurrentOwner} as is_current from directus_collections
    where organization_id = ${organizationId} and collection = ${collection}
  ) c on true
`;

/** Counts the collections stored for this Directus. */
export const countSeenCollections = (trx: Transaction, organizationId: string): Promise<number> =>
  countRows(trx.selectFrom('directus_collections').where('organization_id', '=', organizationId));

/** Lists those that a brand can use and whose contacts can be marked as unsubscribed, as they were last listed. */
export const listMarkingCollections = (
  trx: Transaction,
  organizationId: string,
  brandId: string,
) => valuesOf<string>(trx)`
  select collection from directus_collections
  where organization_id = ${organizationId}
    and seen_at = (select max(seen_at) from directus_collections where organization_id = ${organizationId})
    and fields @> '[{"field": "email"}, {"field": "unsubscribed", "type": "boolean"}]' and ${isUsableBySql({ brand_id: brandId })}
  order by collection
`;
