import { sql } from 'kysely';
import type { Owner } from '@reachout/contract/rules/owners.ts';
import { firstRowOf, type Transaction } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { RuleField } from '../backend/rule-values.ts';
import type { SeenCollection } from '../directus/describe-fields.ts';

/** A field as reported by the content backend. */
export type AudienceField = RuleField & { unique: boolean };

/** Determines whether a brand can send to the contacts of a collection, regardless of who asks. */
export interface CollectionUse {
  owner: Owner | undefined;
  /** The brand with its client; undefined if the brand does not exist. */
  brand: Owner | undefined;
  /** Whether the contacts are within the access scope. */
  isVisible: boolean;
}

export async function findCollectionUse(
  trx: Transaction,
  { collection, endpoint }: { collection: string; endpoint: string | null },
  brandId: string,
): Promise<CollectionUse> {
  const [ownerOf, seen] =
    endpoint === null
      ? [sql`owner_of_collection`, sql`content_collections`]
      : [sql`remote_collection`, sql`directus_collections`];
  const { rows } = await prepared(sql<CollectionUse>`
    select
      (select jsonb_build_object('client_id', owner.client_id, 'brand_id', owner.brand_id)
        from ${ownerOf}(${collection}) owner) as owner,
      (select jsonb_build_object('client_id', b.client_id, 'brand_id', b.id) from brands b where b.id = ${brandId}) as brand,
      exists (select from ${seen} c where c.collection = ${collection}) as "isVisible"
  `).execute(trx);
  const { owner, brand, isVisible } = rows[0]!;
  return { owner: owner ?? undefined, brand: brand ?? undefined, isVisible };
}

/** Finds a collection of the connected Directus, also outside the access scope. */
export const findRemoteCollection = (trx: Transaction, collection: string) => firstRowOf<
  Pick<SeenCollection, 'key_type' | 'fields'>
>(trx)`
  select key_type, fields from remote_collection(${collection})
`;

export const listRuleFields = (trx: Transaction, organizationId: string, collection: string) =>
  trx
    .selectFrom('content_fields')
    .select(['field as name', 'type', 'is_unique as unique'])
    .where('organization_id', '=', organizationId)
    .where('collection', '=', collection)
    .execute();
