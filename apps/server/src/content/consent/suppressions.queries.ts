import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';

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

/**
 * Locks the contact of a delivery, so that concurrent writes to it wait and then see what this transaction stored.
 * @returns its current address; null if it has none, undefined if the contact is deleted
 */
export async function lockContactAddress(
  trx: Transaction,
  { organizationId, sendId, contactId }: UnsubscribedDelivery,
): Promise<string | null | undefined> {
  const { rows } = await sql<{ email: string | null }>`
    select item.data ->> (content.audience -> 'field_mapping' ->> 'email') as email
    from touchpoint_send_contents content
    join content_items item on item.organization_id = content.organization_id
      and item.collection = content.audience ->> 'collection' and item.id = ${contactId}
    where content.organization_id = ${organizationId} and content.send_id = ${sendId}
    for share of item
  `.execute(trx);
  return rows[0]?.email;
}

/** @returns the contact's field `language`; null if it has none */
export async function findContactLanguage(
  trx: Transaction,
  {
    organizationId,
    sendId,
    contactId,
  }: Pick<UnsubscribedDelivery, 'organizationId' | 'sendId' | 'contactId'>,
): Promise<string | null> {
  const { rows } = await sql<{ language: string | null }>`
    select item.data ->> 'language' as language
    from touchpoint_send_contents content
    join content_items item on item.organization_id = content.organization_id
      and item.collection = content.audience ->> 'collection' and item.id = ${contactId}
    where content.organization_id = ${organizationId} and content.send_id = ${sendId}
  `.execute(trx);
  return rows[0]?.language ?? null;
}

/** Lists the suppressions of an address for a brand: its own and those of the whole organization. */
export const listSuppressions = (trx: Transaction, key: SuppressionKey) =>
  trx
    .selectFrom('suppressions')
    .select(['reason', 'send_id', 'seq'])
    .where('organization_id', '=', key.organizationId)
    .where('address_key', '=', key.addressKey)
    .where(sql`subscription_state(reason, brand_id, ${key.brandId}::uuid)`, 'is not', null)
    .execute();

/** Skips addresses already suppressed for the brand. @param addressKeys  sorted, as in all multi-row inserts */
export async function insertUnsubscribes(
  trx: Transaction,
  key: UnsubscribedDelivery,
  addressKeys: readonly string[],
): Promise<void> {
  await trx
    .insertInto('suppressions')
    .values(
      addressKeys.map((address_key) => ({
        id: newId(),
        organization_id: key.organizationId,
        brand_id: key.brandId,
        address_key,
        reason: 'unsubscribe',
        send_id: key.sendId,
        seq: key.seq,
      })),
    )
    .onConflict((conflict) => conflict.columns(['organization_id', 'address_key', 'brand_id']).doNothing())
    .execute();
}

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
