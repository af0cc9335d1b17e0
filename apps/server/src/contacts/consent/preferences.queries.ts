import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import type { SuppressionKey } from './suppressions.queries.ts';

export interface TopicPreference {
  id: string;
  name: string;
  description: string;
  isSubscribed: boolean;
  /** What the address chose; null: nothing, so that the default of the topic counts. */
  choice: boolean | null;
}

/** Lists the topics of a brand, in its order, with what an address chose. */
export async function listTopicPreferences(
  trx: Transaction,
  key: SuppressionKey,
): Promise<TopicPreference[]> {
  const { rows } = await sql<TopicPreference>`
    select t.id, t.name, t.description, c.is_subscribed as choice,
      coalesce(c.is_subscribed, t.is_default) as "isSubscribed"
    from offered_topics t
    left join topic_choices c on c.organization_id = t.organization_id and c.topic_id = t.id
      and c.address_key = ${key.addressKey}
    where t.organization_id = ${key.organizationId} and t.brand_id = ${key.brandId}
    order by t.position, t.id
  `.execute(trx);
  return rows;
}

/** @returns when the pause of an address ends; null without one */
export async function findPause(trx: Transaction, key: SuppressionKey): Promise<string | null> {
  const { rows } = await sql<{ until: string }>`
    select until from pauses
    where organization_id = ${key.organizationId} and address_key = ${key.addressKey} and brand_id = ${key.brandId}
      and until > now()
  `.execute(trx);
  return rows[0]?.until ?? null;
}

/** @returns whether an address allows to measure; null: it chose nothing */
export async function findTrackingChoice(trx: Transaction, key: SuppressionKey): Promise<boolean | null> {
  const { rows } = await sql<{ is_allowed: boolean }>`
    select is_allowed from tracking_choices
    where organization_id = ${key.organizationId} and address_key = ${key.addressKey} and brand_id = ${key.brandId}
  `.execute(trx);
  return rows[0]?.is_allowed ?? null;
}
