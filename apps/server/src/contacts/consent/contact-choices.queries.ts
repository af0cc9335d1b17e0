import { sql } from 'kysely';
import type { BrandChoices, Choice } from '@reachout/contract/consent.ts';
import type { Transaction } from '../../platform/database/database.ts';

interface OfBrands {
  organizationId: string;
  brandIds: readonly string[];
}

/** Lists the topics of brands in their order. */
export const listTopicsOfBrands = (trx: Transaction, { organizationId, brandIds }: OfBrands) =>
  trx
    .selectFrom('offered_topics')
    .select(['id', 'brand_id', 'name', 'is_default'])
    .where('organization_id', '=', organizationId)
    .where('brand_id', 'in', brandIds)
    .orderBy('position')
    .orderBy('id')
    .execute();

export const listTopicChoices = (trx: Transaction, organizationId: string, addressKeys: readonly string[]) =>
  trx
    .selectFrom('topic_choices')
    .select(['address_key', 'topic_id', 'is_subscribed'])
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
  /** Null for a pause, and for a choice about measuring. */
  topic_id: string | null;
  /** Null for a pause. */
  is_yes: boolean | null;
  /** Null for all but a pause. */
  until: string | null;
}

/** Lists what an address has chosen about brands, without pauses that have ended. */
export async function listChoicesOf(
  trx: Transaction,
  { organizationId, addressKey, brandIds }: OfBrands & { addressKey: string },
): Promise<StoredChoice[]> {
  const columns = sql`brand_id, source, send_id, created_by, changed_at`;
  const ofAddress = sql`organization_id = ${organizationId} and address_key = ${addressKey} and brand_id = any(${brandIds}::uuid[])`;
  const { rows } = await sql<StoredChoice>`
    select c.brand_id, c.topic_id, c.is_yes, c.until, c.source, c.changed_at as at, c.basis,
      case when t.id is not null then jsonb_build_object('id', t.id, 'name', t.name) end as touchpoint,
      case when full_name_of(c.created_by) is not null
        then jsonb_build_object('id', c.created_by, 'full_name', full_name_of(c.created_by)) end as by
    from (
      select ${columns}, topic_id, is_subscribed as is_yes, null::timestamptz as until, basis
      from topic_choices where ${ofAddress}
      union all
      select ${columns}, null, null, until, null
      from pauses where ${ofAddress} and until > now()
      union all
      select ${columns}, null, is_allowed, null, null
      from tracking_choices where ${ofAddress}
    ) c
    left join touchpoint_sends s on s.organization_id = ${organizationId} and s.id = c.send_id
    left join current_touchpoints t on t.organization_id = ${organizationId} and t.id = s.touchpoint_id
  `.execute(trx);
  return rows;
}
