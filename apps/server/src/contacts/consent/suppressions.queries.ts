import { sql } from 'kysely';
import type { SuppressedState } from '@reachout/contract/statuses.ts';
import type { Transaction } from '../../platform/database/database.ts';

export interface SuppressionKey {
  organizationId: string;
  brandId: string;
  addressKey: string;
}

/** A delivery whose recipient unsubscribes. */
export interface UnsubscribedDelivery extends SuppressionKey {
  sendId: string;
  seq: number;
  contactId: string;
}

/** A contact as consent needs it. */
export interface RecipientContact {
  collection: string;
  email: string | null;
  /** As entered. */
  language: string | null;
  /** Whether the contact itself says that it gets no email of any brand. */
  is_unsubscribed: boolean;
}

/**
 * @param lock  locks the contact, so that concurrent writes to it wait and then see what this transaction stored
 * @returns undefined if the contact is deleted, or not in the built-in backend
 */
export async function findRecipientContact(
  trx: Transaction,
  {
    organizationId,
    sendId,
    contactId,
  }: Pick<UnsubscribedDelivery, 'organizationId' | 'sendId' | 'contactId'>,
  lock?: 'lock',
): Promise<RecipientContact | undefined> {
  const { rows } = await sql<RecipientContact>`
    select item.collection, item.data ->> (content.audience -> 'field_mapping' ->> 'email') as email,
      item.data ->> 'language' as language,
      coalesce(item.data ->> 'unsubscribed' = 'true', false) as is_unsubscribed
    from touchpoint_send_contents content
    join content_items item on item.organization_id = content.organization_id
      and item.collection = content.audience ->> 'collection' and item.id = ${contactId}
    where content.organization_id = ${organizationId} and content.send_id = ${sendId}
    ${lock === undefined ? sql`` : sql`for no key update of item`}
  `.execute(trx);
  return rows[0];
}

/** Lists the suppressions of an address for a brand: its own and those of the whole organization. */
export const listSuppressions = (trx: Transaction, key: SuppressionKey) =>
  trx
    .selectFrom('suppressions')
    .select([
      'reason',
      'brand_id',
      'send_id',
      'seq',
      sql<SuppressedState>`subscription_state(reason, brand_id, ${key.brandId}::uuid)`.as('state'),
    ])
    .where('organization_id', '=', key.organizationId)
    .where('address_key', '=', key.addressKey)
    .where(sql`subscription_state(reason, brand_id, ${key.brandId}::uuid)`, 'is not', null)
    .execute();

/** Deletes only the suppressions that this delivery created. */
export async function deleteUnsubscribes(
  trx: Transaction,
  key: UnsubscribedDelivery,
  addressKeys: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('suppressions')
    .where('organization_id', '=', key.organizationId)
    .where('brand_id', '=', key.brandId)
    .where('address_key', 'in', addressKeys)
    .where('reason', '=', 'unsubscribe')
    .where('send_id', '=', key.sendId)
    .where('seq', '=', key.seq)
    .execute();
}

/** Deletes suppressions because of bounces of a send. @param recentMs  of the last milliseconds; undefined: all */
export async function deleteBounced(
  trx: Transaction,
  sendId: string,
  recentMs: number | undefined,
): Promise<void> {
  const since =
    recentMs === undefined
      ? sql<string>`(select send_date from touchpoint_sends where id = ${sendId})`
      : sql<string>`now() - make_interval(secs => ${recentMs / 1_000})`;
  await trx
    .deleteFrom('suppressions')
    .where('organization_id', '=', sql<string>`current_organization_id()`)
    .where('send_id', '=', sendId)
    .where('reason', '=', 'bounce')
    .where('created_at', '>=', since)
    .execute();
}
