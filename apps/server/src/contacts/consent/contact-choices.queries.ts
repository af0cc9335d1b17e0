import { sql } from 'kysely';
import type { BrandChoices, Choice } from '@reachout/contract/consent.ts';
import type { ChoiceKind, ChoiceValue } from '@reachout/contract/rules/choices.ts';
import { rowsOf, type Row, type Transaction } from '../../platform/database/database.ts';
import type { BrandAddress } from './choices.queries.ts';

interface OfBrands {
  organizationId: string;
  brandIds: readonly string[];
}

export type BrandTopic = Row<'offered_topics', 'id' | 'brand_id' | 'name' | 'description' | 'is_default'>;

/** Lists the topics of brands in their order. */
export const listTopicsOfBrands = (
  trx: Transaction,
  { organizationId, brandIds }: OfBrands,
): Promise<BrandTopic[]> =>
  trx
    .selectFrom('offered_topics')
    .select(['id', 'brand_id', 'name', 'description', 'is_default'])
    .where('organization_id', '=', organizationId)
    .where('brand_id', 'in', brandIds)
    .orderBy('position')
    .orderBy('id')
    .execute();

export const listTopicChoices = (trx: Transaction, organizationId: string, addressKeys: readonly string[]) =>
  trx
    .selectFrom('choices')
    .select(['address_key', 'topic_id', 'value'])
    .where('kind', '=', 'topic')
    .where('organization_id', '=', organizationId)
    .where('address_key', '=', sql<string>`any(${[...addressKeys]}::text[])`)
    .execute();

export async function listTrackingPolicies(
  trx: Transaction,
  { organizationId, brandIds }: OfBrands,
): Promise<Map<string, BrandChoices['tracking_policy']>> {
  const rows = await trx
    .selectFrom('current_brands')
    .select(['id', 'tracking_policy'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', brandIds)
    .execute();
  return new Map(rows.map(({ id, tracking_policy }) => [id, tracking_policy]));
}

/** @returns undefined also for a topic of a deleted brand */
export const findTopic = (trx: Transaction, organizationId: string, topicId: string) =>
  trx
    .selectFrom('offered_topics')
    .select(['name', 'brand_id'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', topicId)
    .where('brand_id', 'in', (query) => query.selectFrom('current_brands').select('id'))
    .executeTakeFirst();

export interface StoredChoice extends Choice {
  brand_id: string;
  kind: Exclude<ChoiceKind, 'suppression'>;
  value: ChoiceValue;
  topic_id: string | null;
  /** Null for all but a pause. */
  until: string | null;
}

/** Lists what an address has chosen about brands, without suppressions and pauses that have ended. */
export const listChoicesOf = (
  trx: Transaction,
  { organizationId, addressKey, brandIds }: OfBrands & { addressKey: string },
) => rowsOf<StoredChoice>(trx)`
  select c.brand_id, c.kind, c.topic_id, c.value, c.until, c.source, c.changed_at as at, c.note as basis,
    case when t.id is not null then jsonb_build_object('id', t.id, 'name', t.name) end as touchpoint,
    case when full_name_of(c.created_by) is not null
      then jsonb_build_object('id', c.created_by, 'full_name', full_name_of(c.created_by)) end as by
  from choices c
  left join touchpoint_sends s on s.organization_id = c.organization_id and s.id = c.send_id
  left join current_touchpoints t on t.organization_id = c.organization_id and t.id = s.touchpoint_id
  where c.organization_id = ${organizationId} and c.address_key = ${addressKey} and c.brand_id = any(${brandIds}::uuid[])
    and c.kind <> 'suppression' and (c.until is null or c.until > now())
`;

export type NamedTopic = Row<'offered_topics', 'id' | 'name' | 'description'>;

/** @returns those of the topics that the brand has, in the order of the ids */
export async function findTopicsOf(
  trx: Transaction,
  { organizationId, brandId }: Pick<BrandAddress, 'organizationId' | 'brandId'>,
  ids: readonly string[],
): Promise<NamedTopic[]> {
  const topics = await listTopicsOfBrands(trx, { organizationId, brandIds: [brandId] });
  return ids.flatMap((wanted) =>
    topics.filter(({ id }) => id === wanted).map(({ id, name, description }) => ({ id, name, description })),
  );
}
